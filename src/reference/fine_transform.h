#pragma once
// A reference that is quick enough for every length: the transform in double-double by the primes of n, a large prime's by
// Bluestein's chirps. Some 10^15 times more exact than f64, and written for nothing else.
#include <vector>

#include "base/double_double.h"

namespace skipper::testing {

struct Fine {
  DoubleDouble re, im;
};

inline Fine operator+(Fine const& a, Fine const& b) { return {a.re + b.re, a.im + b.im}; }
inline Fine operator-(Fine const& a, Fine const& b) { return {a.re - b.re, a.im - b.im}; }
inline Fine operator*(Fine const& a, Fine const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Fine conjugate(Fine const& a) { return {a.re, -a.im}; }

/// sum over j of x[j] exp(-2 pi i j k / n), for every k.
std::vector<Fine> fine_transform(std::vector<Fine> const& x);

}  // namespace skipper::testing
