#pragma once
// The lengths that codelets have: what codelets.h is made for, and what plans may count on.

namespace skipper::kernel {

/// Every length up to 32, the primes up to 61, and 36, 40, 45, 48, 50 for cubes that fit a cluster.
inline constexpr int radices[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                  32, 36, 37, 40, 41, 43, 45, 47, 48, 50, 53, 59, 61};
inline constexpr int radix_count = sizeof(radices) / sizeof(radices[0]);

constexpr bool has_codelet(int radix) {
  for (int r : radices)
    if (r == radix) return true;
  return radix == 1;
}

}  // namespace skipper::kernel
