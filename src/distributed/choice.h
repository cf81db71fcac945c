// Makes a program of what a user asks for: chooses boxes that the user did not name, and whether an axis is split over the ranks
// (split.h). A split is considered where the longest axis has fewer lines than there are ranks, and taken where it is faster or
// where an order may be permuted. A pure function, so that all ranks choose the same.
#pragma once

#include <skipper/distributed.h>

#include "distributed/planner.h"

namespace skipper::distributed {

struct Wanted {
  Problem problem;
  Index ranks = 1;
  std::vector<Box> in, out;  // of the arrays in natural order, one a rank, which cover them; none: chosen
  bool any_output = false;
  AxisOrder in_order = AxisOrder::natural, out_order = AxisOrder::natural;
  Links links;
  double rank_bandwidth = 1e10;
  Index pieces = 0;
};

/// Throws Error where orders, kinds and boxes do not go together.
Planned chosen(Wanted const& wanted);

}  // namespace skipper::distributed
