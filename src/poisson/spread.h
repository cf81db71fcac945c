// A Poisson problem as a round trip of transforms over ranks (distributed/program.h): which axis becomes which dimension of the
// program, and the cheapest stages.
#pragma once

#include <skipper/poisson.h>

#include <optional>
#include <vector>

#include "distributed/round_trip.h"

namespace skipper::poisson {

/// Dimension d of the program is axis order[d] of the problem. The order is the problem's own, unless the axis that r2c halves,
/// which is the program's last Fourier axis, is to be another one.
struct Spread {
  std::vector<std::size_t> order;
  Problem transform;                      // there, along all axes, the tridiagonal one in name only
  std::optional<std::size_t> eliminated;  // the dimension of the tridiagonal axis
};

/// One for each axis that can be halved, the problem's own order first.
std::vector<Spread> spreads(PoissonProblem const& problem);

/// From axes to dimensions, and the other way.
Box in_order(Box const& box, std::vector<std::size_t> const& order);
Box in_axes(Box const& box, std::vector<std::size_t> const& order);

/// How the arrays of a solve are cut, with one box a rank.
struct SpreadRequest {
  std::vector<Box> in;
  std::vector<Box> out;  // empty: as `in`; see any_output
  bool any_output = false;
  distributed::Links links;
  Index pieces = 0;
  double bandwidth = 1e10;  // of a rank's own memory
  /// On GPUs: the middle stage is one pass where a fused inverse does it (fused_axis.h), else its division takes one more.
  bool fused_inverses = false;
};

struct SpreadProgram {
  Spread spread;
  distributed::Program program;
};
SpreadProgram spread_program(PoissonProblem const& problem, SpreadRequest const& request);

/// "order 1,0", where it is not the problem's own, and the program. What is read has the problem's transform, and eliminates
/// in its middle stage; else Error.
std::string text(SpreadProgram const& program);
SpreadProgram parse_spread_program(PoissonProblem const& problem, std::string_view text);

}  // namespace skipper::poisson
