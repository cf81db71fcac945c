// Joints along a cosine or sine axis (kernel::Mirror, amid a joint): the rows of complex numbers are read and written in
// zigzag, and between the transforms each mode is divided together with its negated one. So such an axis can be the middle
// one of a Poisson solve, between real transforms of the others.
#pragma once

#include <vector>

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// The step in which modes meet, after the last of the way there. Throws Error where the sweep has more than one axis.
void add_meeting(Program const& program, int s, Tile const& tile, Draft& draft, std::vector<int>& late);

/// The ends and the mirror, once the addresses are known.
void fold_joint(Program const& program, Tile const& tile, Draft& draft, std::vector<RootTable>& tables);

}  // namespace skipper
