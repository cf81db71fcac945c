// Boxes of global index spaces: intersections, and the check that a list of them covers an array exactly once.
#pragma once

#include <skipper/distributed.h>

#include <string>
#include <vector>

#include "base/index.h"

namespace skipper::distributed {

Box whole_box(std::vector<Index> const& sizes);
Index volume(Box const& box);
inline bool is_empty(Box const& box) { return volume(box) == 0; }

/// The intersection; empty, with all sizes 0, where they do not meet.
Box intersection(Box const& a, Box const& b);

/// "0+64,0+512,128+128": first and size of each dimension.
std::string text(Box const& box);

/// Throws Error, naming `argument` and the ranks, unless the boxes lie within the array and hold each element once.
void check_cover(std::vector<Box> const& boxes, std::vector<Index> const& sizes, std::string const& argument);

/// Part i of `parts` of 0..n-1: sizes differ by at most one, the larger parts come first.
struct Part {
  Index first = 0, size = 0;
};
Part part_of(Index n, Index parts, Index i);

}  // namespace skipper::distributed
