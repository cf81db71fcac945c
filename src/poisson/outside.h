// The transforms along all axes but one, the middle axis, there and back, and the spectrum between them: the array with one
// of the other axes halved and complex where any of them is periodic, else real and of the array's own shape.
#pragma once

#include <skipper/poisson.h>

#include <optional>
#include <vector>

#include "base/index.h"

namespace skipper::poisson {

/// The tridiagonal axis where there is one, else the slowest.
std::size_t middle_axis(PoissonProblem const& problem);

struct Outside {
  std::optional<Problem> forward, back;  // none where there is no other axis
  std::vector<Index> stored;             // of each axis in the spectrum
  std::vector<std::size_t> order;        // the axes as they stand in the spectrum, slowest first
  double gain = 1;

  bool complex() const { return forward && forward->kind == Kind::r2c; }
};

/// The spectrum has the axes in their order. Or the middle one as the slowest and after it the halved one: then all columns
/// along the middle are one dimension, and of the others the last is whole, so its rows begin where sectors do.
enum class SpectrumOrder { as_they_are, middle_first };
Outside outside(PoissonProblem const& problem, SpectrumOrder order = SpectrumOrder::as_they_are);
/// With another middle axis.
Outside outside(PoissonProblem const& problem, SpectrumOrder order, std::size_t middle);

/// From number to number of the spectrum along each axis.
std::vector<Index> spectrum_strides(Outside const& all);

/// The symbol of each column along the middle axis: the shift and the eigenvalues of the other axes.
std::vector<double> across_of(PoissonProblem const& problem, Outside const& all);

}  // namespace skipper::poisson
