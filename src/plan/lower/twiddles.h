// Twiddles of the steps: what they are powers of, by which tables, and after a Hermitian split.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// Gives each step of a draft its twiddles. `late` has, for each step, the sub-transform whose twiddles waited for a
/// Hermitian split, or -1.
void add_twiddles(Program const& program, int s, Tile const& tile, std::vector<int> const& late, Draft& draft,
                  std::vector<RootTable>& tables);

}  // namespace skipper
