// Convolutions of a sweep: what it multiplies by where they begin, in the middle and where they end, and Rader's order.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// Throws Error where the sweep would need one table for the chirps of a long axis and of another one: it would be as long as
/// their product.
void demand_one_chirp(Program const& program, int s, Tile const& tile);

/// Throws Error where a line by Rader is not alone in its sweep, or in a cluster is not a line of complex numbers.
void demand_rader_alone(Program const& program, int s, Tile const& tile);

/// Sets Rader's order in the draft: digits of the exponent, entries of the table, and lines. The table follows when the exchanges
/// are known.
void set_rader(Tile const& tile, Draft& draft);
/// Sets what real Rader (kernel/real_rader.h) negates where pairs meet their partners.
void hermitian_real_rader(Tile const& tile, Draft& draft);
void add_rader_table(Draft& draft, Index element_bytes, std::vector<RootTable>& tables);

/// Adds the multipliers of this sweep's convolutions: chirps where they begin and end, the spectrum in the middle.
void add_convolutions(Program const& program, int s, Tile const& tile, Draft& draft,
                      std::vector<RootTable>& tables);

}  // namespace skipper
