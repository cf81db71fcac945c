// Axes whose transform there, division and transform back can share a sweep of a GPU (plan/fused_inverse.h).
#pragma once

#include <skipper/poisson.h>

#include <optional>

#include "plan/program.h"
#include "poisson/spread.h"

namespace skipper::poisson {

/// What a fused inverse along the axis divides by, on complex numbers; nothing where there is no such fused inverse: the axis is
/// periodic, or cell-centred with two Neumann or two Dirichlet ends.
std::optional<Factors> fused_inverse_factors(PoissonAxis const& axis);

struct FusedInverseAxis {
  std::size_t dimension = 0;
  Factors factors = Factors::symbol;
};

/// The one axis of the middle stage that a fused inverse is along; nothing where the stage has others too, where data are not
/// complex yet, or with a positive shift: sums of symbols in single precision are good only where all are of one
/// sign.
std::optional<FusedInverseAxis> fused_axis(PoissonProblem const& problem, SpreadProgram const& program);

}  // namespace skipper::poisson
