// Cuts the box of a rank into pieces that fit in cache and hold the stage's axes whole. A piece is transformed on chip and then
// copied to the ranks that need parts of it, so that an exchange costs no separate pass over memory.
#pragma once

#include <vector>

#include "distributed/program.h"

namespace skipper::distributed {

/// Sizes of a piece: of at most one dimension a part, of slower ones 1, of faster ones all. So there are two shapes at most.
struct Pieces {
  Box box;                   // what is cut
  std::vector<Index> sizes;  // of a piece; the last one along the cut dimension may be smaller
  Index count = 0;
};

/// `whole[d]`: the dimension is not cut. Pieces have at most `elements`, or what cannot be cut.
Pieces pieces_of(Box const& box, std::vector<bool> const& whole, Index elements);
Box piece(Pieces const& pieces, Index i);

/// Part `round` of `rounds` of a box, cut along its slowest dimension that may be cut.
Box round_of(Box const& box, std::vector<bool> const& whole, Index rounds, Index round);

}  // namespace skipper::distributed
