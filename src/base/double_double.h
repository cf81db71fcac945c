// kernel/double_double.h for the host: numbers of about 106 bits, and how they are rounded to float and double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernel/double_double.h"

namespace skipper {

using kernel::DoubleDouble;
using kernel::quick_two_sum;
using kernel::two_product;
using kernel::two_sum;
using kernel::wide;

// Rounded once. To float not by way of `high`, whose own rounding could have made a tie: a double whose last
// bit is odd wherever something was cut off stands on the right side of every tie (rounding to odd).
inline double to_double(DoubleDouble a) { return a.high; }

inline float to_float(DoubleDouble a) {
  if (a.low == 0) return static_cast<float>(a.high);
  double const cut = (a.low < 0) == (a.high < 0) ? a.high : std::nextafter(a.high, 0.0);
  return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(cut) | 1));
}

/// To T, which is float or double.
template <class T>
T rounded_to(double a) {
  return static_cast<T>(a);
}

template <class T>
T rounded_to(DoubleDouble a) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return to_double(a);
  } else {
    return to_float(a);
  }
}

}  // namespace skipper
