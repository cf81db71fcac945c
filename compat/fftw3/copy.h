// Copies between arrays of any strides.
#pragma once

#include <vector>

#include "call.h"

namespace skipper::fftw3 {

class Copy {
 public:
  Copy() = default;
  /// Strides count Reals; `in_stride` is where it reads. The two arrays do not overlap.
  explicit Copy(std::vector<Dim> dims);

  void run(Real const* from, Real* to) const;

 private:
  void run_level(std::size_t level, Real const* from, Real* to) const;
  void run_plane(Real const* from, Real* to) const;

  std::vector<Dim> outer_;  // slowest first
  Dim rows_, columns_;      // the two that are fastest in either array
  Dim pair_;                // real and imaginary part, copied together; else of size 1
};

}  // namespace skipper::fftw3
