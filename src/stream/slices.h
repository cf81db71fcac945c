// The slices of a pass: the box of batch dimensions that each slice takes, the problem that the device computes on it, and the
// copies between it and the host's arrays. On the device a slice is packed: its dimensions keep their order in the host's
// array, without gaps.
#pragma once

#include <vector>

#include "stream/copy.h"
#include "stream/schedule.h"

namespace skipper::stream {

/// Of each batch dimension of the pass.
struct Box {
  std::vector<Index> first, count;
};

Index slice_count(Problem const& whole, std::vector<Index> const& extents);
Box slice_box(Problem const& whole, std::vector<Index> const& extents, Index slice);

/// In place where both sides are packed alike.
Problem slice_problem(Problem const& whole, std::vector<Index> const& counts);

/// Elements from the first one of the host's array to the first one of the box.
Index in_offset(Problem const& whole, Box const& box);
Index out_offset(Problem const& whole, Box const& box);

/// Of the copies in, from host to packed, and out, from packed to host.
std::vector<BoxDim> gather_dims(Problem const& whole, Problem const& slice);
std::vector<BoxDim> scatter_dims(Problem const& whole, Problem const& slice);

/// Whether the link can take the slices of a pass from the host's array, or bring them back there, as they lie: in few
/// copies of long rows, to which nothing else is done.
bool lies_in_rows(Pass const& pass, Problem const& slice, bool in);
/// Both ways.
bool copied_as_they_lie(Pass const& pass);

}  // namespace skipper::stream
