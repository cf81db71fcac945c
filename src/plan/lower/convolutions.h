// Convolutions of a sweep: what it multiplies by where they begin, in the middle and where they end, and the order of powers.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// A table for the chirps of a long axis and of another one together would be as long as their product: throws Error where
/// the sweep would need one.
void demand_one_chirp(Program const& program, int s, Tile const& tile);

/// What is transformed in the order of powers is alone in its sweep, and in a cluster a line of complex numbers: throws
/// Error where it is not.
void demand_powers_alone(Program const& program, int s, Tile const& tile);

/// What is told of the order of powers: digits of the exponent, entries of the table, and lines. The table follows when the
/// exchanges are known.
void set_powers(Tile const& tile, Draft& draft);
/// Of opposites (kernel/opposites.h), what is negated where they meet their partners.
void mirror_opposites(Tile const& tile, Draft& draft);
void add_power_table(Draft& draft, Index element_bytes, std::vector<RootTable>& tables);

/// What the convolutions of this sweep multiply by: chirps where they begin and end, the spectrum in the middle.
void add_convolutions(Program const& program, int s, Tile const& tile, Draft& draft,
                      std::vector<RootTable>& tables);

}  // namespace skipper
