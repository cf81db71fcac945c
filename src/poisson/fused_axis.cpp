// See fused_axis.h.
#include "poisson/fused_axis.h"

#include "poisson/symbols.h"

namespace skipper::poisson {

std::optional<Factors> fused_inverse_factors(PoissonAxis const& axis) {
  if (axis.size == 1 || is_tridiagonal(axis)) return std::nullopt;
  if (axis.low == Boundary::periodic) return Factors::symbol;
  if (axis.low != axis.high || axis.centring != Centring::cell) return std::nullopt;
  return axis.low == Boundary::neumann ? Factors::cosines : Factors::sines;
}

std::optional<FusedInverseAxis> fused_axis(PoissonProblem const& problem, SpreadProgram const& spread) {
  distributed::Program const& program = spread.program;
  std::size_t const middle = middle_stage(program);
  distributed::Stage const& stage = program.stages[middle];
  auto const halved = halved_axis(program.problem);
  bool const complex = halved && done_before(program, middle)[*halved];
  bool const one = stage.axes.size() == 1 && stage.back == stage.axes;
  if (!complex || !one || spread.spread.eliminated || problem.shift > 0) return std::nullopt;
  auto const factors = fused_inverse_factors(problem.axes[spread.spread.order[stage.axes.front()]]);
  return factors ? std::optional(FusedInverseAxis{stage.axes.front(), *factors}) : std::nullopt;
}

}  // namespace skipper::poisson
