// See spread.h.
#include "poisson/spread.h"

#include <algorithm>
#include <numeric>

#include "poisson/fused_axis.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

using distributed::Distribution;

std::vector<std::size_t> own_order(PoissonProblem const& problem) {
  std::vector<std::size_t> order(problem.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

Spread spread_in(PoissonProblem const& problem, std::vector<std::size_t> const& order) {
  Spread result{order, {}, {}};
  Problem& p = result.transform;
  p.precision = problem.precision;
  p.kind = Kind::r2r;
  for (std::size_t d = 0; d < order.size(); ++d) {
    PoissonAxis const& axis = problem.axes[order[d]];
    if (axis.low == Boundary::periodic) p.kind = Kind::r2c;
    if (is_tridiagonal(axis)) result.eliminated = d;
    p.axes.push_back({axis.size, 0, 0, transforms(axis).forward});
  }
  p = dense_layout(std::move(p));
  return result;
}

Distribution distribution(Spread const& spread, std::vector<Box> const& boxes) {
  std::vector<Index> sizes;
  for (Axis const& axis : spread.transform.axes) sizes.push_back(axis.size);
  std::vector<Box> ordered_boxes;
  for (Box const& box : boxes) ordered_boxes.push_back(in_order(box, spread.order));
  return {sizes, std::move(ordered_boxes)};
}

/// What the middle stage takes on a GPU beyond its transforms, a pass each: a pass less where a fused inverse is all of it,
/// else one for the division.
double beyond_transforms(PoissonProblem const& problem, SpreadProgram const& found, double bandwidth) {
  if (found.spread.eliminated) return 0;
  distributed::Program const& program = found.program;
  std::size_t const middle = middle_stage(program);
  double const pass = 2 * double(program.stages[middle].cut.largest_volume()) *
                      double(in_element_bytes(program, middle)) / bandwidth;
  return fused_axis(problem, found) ? -pass : pass;
}

}  // namespace

std::vector<Spread> spreads(PoissonProblem const& problem) {
  std::vector<std::size_t> const own = own_order(problem);
  std::vector<Spread> all = {spread_in(problem, own)};
  auto const halved = halved_axis(all[0].transform);
  for (std::size_t a = problem.axes.size(); halved && a-- > 0;) {
    if (a == *halved || problem.axes[a].low != Boundary::periodic) continue;
    std::vector<std::size_t> order = own;
    order.erase(order.begin() + std::ptrdiff_t(a));
    order.push_back(a);
    all.push_back(spread_in(problem, order));
  }
  return all;
}

Box in_order(Box const& box, std::vector<std::size_t> const& order) {
  Box result;
  for (std::size_t const a : order) {
    result.first.push_back(box.first[a]);
    result.size.push_back(box.size[a]);
  }
  return result;
}

Box in_axes(Box const& box, std::vector<std::size_t> const& order) {
  Box result = box;
  for (std::size_t d = 0; d < order.size(); ++d) {
    result.first[order[d]] = box.first[d];
    result.size[order[d]] = box.size[d];
  }
  return result;
}

SpreadProgram spread_program(PoissonProblem const& problem, SpreadRequest const& request) {
  std::optional<SpreadProgram> best;
  double least = 0;
  for (Spread const& spread : spreads(problem)) {
    distributed::RoundTrip trip{spread.transform, spread.eliminated, distribution(spread, request.in),
                                std::nullopt,     request.links,     request.bandwidth,
                                request.pieces};
    if (!request.out.empty())
      trip.out = distribution(spread, request.out);
    else if (!request.any_output)
      trip.out = trip.in;
    distributed::Planned planned = plan_round_trip(trip);
    SpreadProgram found{spread, std::move(planned.program)};
    double const seconds =
        planned.seconds + (request.fused_inverses ? beyond_transforms(problem, found, request.bandwidth) : 0);
    if (best && seconds >= least * (1 - 1e-9)) continue;
    least = seconds;
    best = std::move(found);
  }
  return *best;
}

std::string text(SpreadProgram const& program) {
  std::vector<std::size_t> const& order = program.spread.order;
  std::string line;
  if (!std::is_sorted(order.begin(), order.end())) {
    for (std::size_t const a : order) line += (line.empty() ? "order " : ",") + std::to_string(a);
    line += "\n";
  }
  return line + distributed::text(program.program);
}

SpreadProgram parse_spread_program(PoissonProblem const& problem, std::string_view text) {
  std::size_t const end = text.starts_with("order ") ? text.find('\n') : std::string_view::npos;
  bool const ordered = end != std::string_view::npos;
  distributed::Program program = distributed::parse_program(ordered ? text.substr(end + 1) : text);
  for (Spread const& spread : spreads(problem)) {
    SpreadProgram const found{spread, program};
    bool const own = std::is_sorted(spread.order.begin(), spread.order.end());
    if (own == ordered) continue;
    if (ordered && !poisson::text(found).starts_with(text.substr(0, end + 1))) continue;
    Problem const wanted = distributed::program_of(spread.transform, program.ranks, program.stages).problem;
    if (skipper::text(wanted) != skipper::text(program.problem))
      throw Error("program", "is of '" + skipper::text(program.problem) + "' but the problem is '" +
                                 skipper::text(wanted) + "'");
    if (!program.is_round_trip()) throw Error("program", "does not go back, which a solve does");
    auto const& middle = program.stages[middle_stage(program)];
    if (spread.eliminated &&
        std::find(middle.axes.begin(), middle.axes.end(), *spread.eliminated) == middle.axes.end())
      throw Error("program", "transforms axis " + std::to_string(*spread.eliminated) +
                                 ", which is tridiagonal, before the middle stage; do it there");
    if (spread.eliminated &&
        std::find(middle.back.begin(), middle.back.end(), *spread.eliminated) == middle.back.end())
      throw Error("program", "undoes axis " + std::to_string(*spread.eliminated) +
                                 ", which is tridiagonal, behind the middle stage; do it there");
    return found;
  }
  throw Error("program", "has an order of axes that the problem has not; give what describe() prints");
}

}  // namespace skipper::poisson
