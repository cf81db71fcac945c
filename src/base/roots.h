// Roots of unity exp(-2 pi i k / n), the one place of all trigonometry: computed in double-double and rounded
// once, so correct to the last bit in practice (error at most 0.5 + 2^-45 units in the last place). All
// symmetries (conjugate, quarter turns, octants) hold bit for bit, and no zero is negative.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "base/double_double.h"
#include "base/index.h"

namespace skipper {

struct WideRoot {
  DoubleDouble re, im;

  bool operator==(WideRoot const&) const = default;
};

// 1 <= n <= 2^62 and any k, here and below.
WideRoot wide_root(Index k, Index n);
std::complex<double> root64(Index k, Index n);
std::complex<float> root32(Index k, Index n);

// Element i is exp(-2 pi i (i step) / n), 0 <= i < count, for T float or double.
template <class T>
std::vector<std::complex<T>> roots(Index n, Index count, Index step = 1);

// Roots of one order where many are needed, in any order and without a vector of them: each is a product of two out of
// tables of about sqrt(n) / 2 entries.
class RootSource {
 public:
  explicit RootSource(Index n);
  ~RootSource();
  RootSource(RootSource&&) noexcept;
  RootSource& operator=(RootSource&&) noexcept;

  // The same where about all roots are needed, to fill a table of T. Roots of a small order are computed at once, one octant of
  // them, and looked up. Only at<T>() may be called.
  template <class T>
  static RootSource tabled(Index n);

  // For 0 <= k < n, accurate enough for a table of T. For double the product is taken in double-double and rounded once; for
  // float it is taken in double, with an error of at most 2^-51.
  template <class T>
  std::complex<double> at(Index k) const {
    return table_.empty() ? computed<T>(k) : table_[static_cast<std::size_t>(k)];
  }

  class Octant;

 private:
  template <class T>
  std::complex<double> computed(Index k) const;

  std::unique_ptr<Octant const> octant_;
  std::vector<std::complex<double>> table_;  // of all roots, or empty
};

}  // namespace skipper
