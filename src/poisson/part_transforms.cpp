// See part_transforms.h.
#include "poisson/part_transforms.h"

#include "poisson/symbols.h"

namespace skipper::poisson {

SpreadOperator spread_operator(PoissonProblem const& problem, Spread const& spread) {
  SpreadOperator all;
  all.shift = problem.shift;
  all.singular = is_singular(problem);
  for (std::size_t const a : spread.order) {
    PoissonAxis const& axis = problem.axes[a];
    bool const swept = is_tridiagonal(axis);
    if (swept) all.matrix = tridiagonal(axis);
    all.symbols.push_back(swept ? std::vector<double>{} : eigenvalues(axis, problem.symbols));
    if (!swept) all.gain *= transforms(axis).gain;
  }
  return all;
}

PartTransforms part_transforms(SpreadProgram const& spread, std::vector<Index> const& sizes) {
  distributed::Program const& program = spread.program;
  std::size_t const stage = middle_stage(program);
  PartTransforms all;
  all.there = {program.stages[stage].axes, done_before(program, stage), false};
  all.back = {program.stages[stage].back, std::vector<bool>(sizes.size(), true), true};
  all.spectrum = sizes;
  all.complex = program.problem.kind == Kind::r2c;
  auto const halved = halved_axis(program.problem);
  for (std::size_t const a : all.there.axes)
    if (a == halved) all.spectrum[a] = program.problem.axes[a].size / 2 + 1;
  if (spread.spread.eliminated) {
    std::erase(all.there.axes, *spread.spread.eliminated);
    std::erase(all.back.axes, *spread.spread.eliminated);
  }
  return all;
}

}  // namespace skipper::poisson
