// What the middle of a solve is on any part of the array that has the middle stage's axes whole: the transforms there
// and back, the spectrum between them, and the numbers of the operator.
#pragma once

#include <optional>
#include <vector>

#include "distributed/program.h"
#include "poisson/spread.h"
#include "poisson/tridiagonal.h"

namespace skipper::poisson {

/// The operator by dimension of the program.
struct SpreadOperator {
  std::vector<std::vector<double>> symbols;  // of each dimension; none of the eliminated one
  std::optional<Tridiagonal> matrix;         // of that
  double shift = 0;
  double gain = 1;  // of the constant mode: the product of all transforms'
  bool singular = false;
};
SpreadOperator spread_operator(PoissonProblem const& problem, Spread const& spread);

/// The tridiagonal axis is in neither list of axes.
struct PartTransforms {
  distributed::Along there, back;
  std::vector<Index> spectrum;  // sizes of the part between them
  bool complex = false;         // what it is of
};
PartTransforms part_transforms(SpreadProgram const& program, std::vector<Index> const& sizes);

}  // namespace skipper::poisson
