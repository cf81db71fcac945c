// Layouts between sweeps: in place, gathered for the sweep that reads, or as it writes.
#pragma once

#include <optional>
#include <vector>

#include "plan/program.h"

namespace skipper {

/// Every digit where it was read: the layout of the papers, in place. Of c2r by columns the last digit is half kept and the
/// first has the pairs, so that the other way round rows are whole sectors.
std::vector<Piece> layout_in_place(Program const& program, int before);

/// The layout that suits the reads of sweep s best: its tile in one piece, innermost what it writes together. Nothing where
/// that would cut what may not be cut.
std::optional<std::vector<Piece>> layout_gathered(Program const& program, int s, Index segment);

/// Every digit where sweep s writes it, so that it may stay in its array.
std::vector<Piece> layout_as_written(Program const& program, int s);

/// Contiguous elements of the problem's own input or output.
Index longest_segment(std::vector<Dimension> dims, Index Dimension::*stride);

}  // namespace skipper
