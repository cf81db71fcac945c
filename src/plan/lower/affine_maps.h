// Affine maps over the fine digits and the grid of a draft: how far one goes, and what an index is as one.
#pragma once

#include "plan/lower/draft.h"

namespace skipper {

/// An affine map without weights.
FineAffineMap blank(Draft const& draft);

/// Adds `unit` times another one.
void add(FineAffineMap& map, FineAffineMap const& other, Index unit);

/// Its largest value, past ragged edges too.
Index reach(Tile const& tile, Draft const& draft, FineAffineMap const& map);

/// The index of a whole digit as an affine map: of a carried digit over its pieces, of a transformed one over j or k.
FineAffineMap index_of(Tile const& tile, Draft const& draft, DigitKey digit,
                       Index FineDigit::*weight = &FineDigit::j);

/// The index along a convolved axis, its first digit the slowest; of the digit that is transformed here, the weights
/// before or after.
FineAffineMap axis_index(Program const& program, Tile const& tile, Draft const& draft, int dim,
                         Index FineDigit::*weight);

}  // namespace skipper
