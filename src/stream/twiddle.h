// The twiddles between the two passes of a line that was cut in two: element (k, j) of a slice times exp(-+2 pi i jk/n).
#pragma once

#include <complex>
#include <vector>

#include "stream/schedule.h"
#include "stream/slices.h"

namespace skipper::stream {

class Twiddles {
 public:
  /// For lines of length n; 0 makes one that is not used.
  explicit Twiddles(Index n);

  /// `data` is the packed output of a slice of the pass. Roots are products of two table entries, in double.
  void apply(Pass const& pass, Box const& box, Problem const& slice, void* data, Loop const& loop) const;

 private:
  std::complex<double> root(Index k) const {
    return high_[static_cast<std::size_t>(k / block_)] * low_[static_cast<std::size_t>(k % block_)];
  }
  template <class T>
  void rows(Pass const& pass, Box const& box, Problem const& slice, std::complex<T>* data,
            Loop const& loop) const;

  Index block_ = 1;
  std::vector<std::complex<double>> low_, high_;
};

}  // namespace skipper::stream
