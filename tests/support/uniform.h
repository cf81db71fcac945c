#pragma once
// Random inputs of transforms.
#include <cstdint>
#include <random>

namespace skipper::testing {

/// Numbers from -1 to 1. std::uniform_real_distribution takes two logarithms a number where the compiler does not know their
/// values, as clang does not.
template <class T>
struct Uniform {
  template <class Random>
  T operator()(Random& random) const {
    static_assert(Random::min() == 0 && Random::max() >= 0xffffffffu);
    auto const high = double(std::int32_t(std::uint32_t(random())));
    if constexpr (sizeof(T) < sizeof(double))
      return T(high * 0x1p-31);
    else
      return T((high + double(std::uint32_t(random())) * 0x1p-32) * 0x1p-31);
  }
};

}  // namespace skipper::testing
