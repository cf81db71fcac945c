// The integer of sizes, strides and addresses, with sums and products that notice overflow.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace skipper {

using Index = std::int64_t;
inline constexpr Index largest_index = std::numeric_limits<Index>::max();

// a + b, or nothing where that does not fit.
constexpr std::optional<Index> add(Index a, Index b) {
  Index sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// a * b, or nothing where that does not fit.
constexpr std::optional<Index> multiply(Index a, Index b) {
  Index product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace skipper
