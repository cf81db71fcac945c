// The weights of one axis for a whole check (whole_check.h), by closed sums.
#pragma once

#include <skipper/problem.h>

#include <complex>
#include <cstddef>
#include <vector>

namespace skipper::reference {

struct AxisWeights {
  std::vector<std::complex<double>> in, out;  // of the elements that are stored
  double gain = 1;                            // the mean of |A[k][j]|^2
};

/// `conjugate`: with z* in place of z.
AxisWeights axis_weights(Problem const& problem, std::size_t axis, bool conjugate);

}  // namespace skipper::reference
