// Memory for arrays: aligned to 64 bytes, zeroed (so that every page is there before anything is timed), and filled
// with numbers that look random but are the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "scalars.h"

namespace skipper::cli {

class Buffer {
 public:
  explicit Buffer(std::int64_t bytes)
      : bytes_(std::size_t(bytes)),
        data_(static_cast<std::byte*>(::operator new(bytes_ + 64, std::align_val_t(64)))) {
    zero();
  }
  void* data() { return data_.get(); }
  void const* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }
  void zero() { std::memset(data_.get(), 0, bytes_); }

  // Reals between -largest and largest, one after the other.
  void fill_random(Precision precision, std::uint64_t seed = 1, double largest = 1) {
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    auto const next = [&] {  // splitmix64
      state += 0x9e3779b97f4a7c15u;
      std::uint64_t z = state;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      return largest * (double(std::int64_t(z ^ (z >> 31)) >> 11) * 0x1p-52);
    };
    with_scalar(precision, [&]<class Scalar>(Scalar) {
      auto* const numbers = static_cast<Scalar*>(data());
      for (std::size_t i = 0; i < bytes_ / sizeof(Scalar); ++i) numbers[i] = Scalar(next());
    });
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace skipper::cli
