// Fused inverses along a cosine or sine axis (kernel::HermitianSplit, amid a fused inverse): the rows of complex numbers are
// read and written in Makhoul's order, and between the transforms each mode is divided together with its negated one. So such
// an axis can be the middle one of a Poisson solve, between real transforms of the others.
#pragma once

#include <vector>

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// Throws Error where the sweep has more than one axis.
void demand_cosines_alone(Program const& program, int s, Tile const& tile);

/// The ends and the Hermitian split, once the addresses are known.
void process_fused_inverse(Program const& program, Tile const& tile, Draft& draft,
                           std::vector<RootTable>& tables);

}  // namespace skipper
