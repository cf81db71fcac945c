// Finds the stages of a round trip (program.h): the cheapest way from the input's cut to the whole spectrum and on to the
// output's cut, as one search, so that the way back may leave the spectrum by other axes than it came.
#pragma once

#include <optional>

#include "distributed/planner.h"

namespace skipper::distributed {

struct RoundTrip {
  Problem problem;                  // of the way there: r2c, c2c or r2r
  std::optional<std::size_t> last;  // an axis that only the middle stage may take, if there is one
  Distribution in;
  std::optional<Distribution> out;  // of an array like the input; nothing: wherever it is cheapest
  Links links;
  double rank_bandwidth = 1e10;  // as in Request
  Index pieces = 0;
};

Planned plan_round_trip(RoundTrip const& request);

}  // namespace skipper::distributed
