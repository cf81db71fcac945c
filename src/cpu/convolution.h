// What Rader and Bluestein share: the spectrum of a fixed sequence, worked out in double whatever the precision of
// the lines it will multiply.
#pragma once

#include <complex>
#include <vector>

#include "cpu/line.h"

namespace skipper::cpu {

/// The forward transform of b, times `factor`.
std::vector<std::complex<double>> spectrum(std::vector<std::complex<double>> const& b, double factor);

template <class T>
std::vector<T> interleaved(std::vector<std::complex<double>> const& values) {
  std::vector<T> flat;
  flat.reserve(2 * values.size());
  for (auto const& v : values) {
    flat.push_back(static_cast<T>(v.real()));
    flat.push_back(static_cast<T>(v.imag()));
  }
  return flat;
}

/// Scratch areas begin on cache lines.
template <class T>
Index rounded(Index scalars) {
  constexpr Index line = 64 / sizeof(T);
  return (scalars + line - 1) / line * line;
}

}  // namespace skipper::cpu
