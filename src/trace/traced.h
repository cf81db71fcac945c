#pragma once
// The spec as a recorded text knows it: when it is recorded, so that one instantiation records any (kernel/known.h). Arrays of
// registers check their index.
#include <string>
#include <vector>

#include "kernel/registers.h"
#include <skipper/error.h>

namespace skipper::trace {

struct Traced {
  kernel::SweepSpec const* spec = nullptr;
};

template <auto Query, class... Args>
auto get(Traced traced, Args... args) {
  return Query(*traced.spec, args...);
}
template <auto Query, class... Args>
decltype(auto) aggregate(Traced traced, Args... args) {
  return Query(*traced.spec, args...);
}

}  // namespace skipper::trace

namespace skipper::kernel {

template <RegisterArray array, class E>
class Registers<array, E, trace::Traced> {
 public:
  explicit Registers(trace::Traced traced) : at_(std::size_t(places(*traced.spec, array))) {}
  E& operator[](int q) { return at_[verified(q)]; }
  E const& operator[](int q) const { return at_[verified(q)]; }

 private:
  std::size_t verified(int q) const {
    if (q < 0 || std::size_t(q) >= at_.size())
      throw Error("trace", "register " + std::to_string(q) + " of " + std::to_string(at_.size()));
    return std::size_t(q);
  }
  std::vector<E> at_;
};

}  // namespace skipper::kernel
