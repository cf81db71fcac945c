// Forms over the atoms and the grid of a draft: how far one goes, and what an index is as one.
#pragma once

#include "plan/lower/draft.h"

namespace skipper {

/// A form without weights.
AtomForm blank(Draft const& draft);

/// Adds `unit` times another one.
void add(AtomForm& form, AtomForm const& other, Index unit);

/// Its largest value, past ragged edges too.
Index reach(Tile const& tile, Draft const& draft, AtomForm const& form);

/// The index of a whole digit as a form: of a carried digit over its pieces, of a transformed one over j or k.
AtomForm index_of(Tile const& tile, Draft const& draft, DigitKey digit, Index Atom::*weight = &Atom::j);

/// The index along a convolved axis, its first digit the slowest; of the digit that is transformed here, the weights
/// before or after.
AtomForm axis_index(Program const& program, Tile const& tile, Draft const& draft, int dim,
                    Index Atom::*weight);

}  // namespace skipper
