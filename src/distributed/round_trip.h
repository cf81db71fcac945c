// Finds the stages of a round trip (program.h): one search for the cheapest path from the input's cut to the spectrum and on to the
// output's cut, so that the inverse may begin with other axes than the forward transform ended with.
#pragma once

#include <optional>

#include "distributed/planner.h"

namespace skipper::distributed {

struct RoundTrip {
  Problem problem;                  // of the forward transform: r2c, c2c or r2r
  std::optional<std::size_t> last;  // an axis that only the middle stage may take, if there is one
  Distribution in;
  std::optional<Distribution> out;  // of an array like the input; nothing: the cheapest
  Links links;
  double rank_bandwidth = 1e10;  // as in Request
  Index pieces = 0;
};

Planned plan_round_trip(RoundTrip const& request);

}  // namespace skipper::distributed
