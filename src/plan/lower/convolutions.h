// Convolutions of a sweep: what it multiplies by where they begin, in the middle and where they end, and Rader's order.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// A table for the chirps of a long axis and of another one together would be as long as their product: throws Error where
/// the sweep would need one.
void demand_one_chirp(Program const& program, int s, Tile const& tile);

/// What is transformed by Rader is alone in its sweep, and in a cluster a line of complex numbers: throws
/// Error where it is not.
void demand_rader_alone(Program const& program, int s, Tile const& tile);

/// What is told of Rader's order: digits of the exponent, entries of the table, and lines. The table follows when the
/// exchanges are known.
void set_rader(Tile const& tile, Draft& draft);
/// Of real pairs (kernel/real_rader.h), what is negated where they meet their partners.
void hermitian_real_rader(Tile const& tile, Draft& draft);
void add_rader_table(Draft& draft, Index element_bytes, std::vector<RootTable>& tables);

/// What the convolutions of this sweep multiply with: chirps where they begin and end, the spectrum in the middle.
void add_convolutions(Program const& program, int s, Tile const& tile, Draft& draft,
                      std::vector<RootTable>& tables);

}  // namespace skipper
