// The middle of a fused inverse: after the step where all its transforms meet it multiplies by factors, or divides by a symbol.
#pragma once

#include <utility>
#include <vector>

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"
#include "plan/program.h"
#include "plan/tile.h"

namespace skipper {

/// The step in which elements meet their partners at the negated index, after the last of the way there.
void add_meeting(Draft& draft, std::vector<int>& late);

/// The places of an affine map's entries in the order in which an assignment gives them to threads, so that neighbouring threads
/// read neighbouring entries. In natural order each thread would read a line of its own, since the index has its digits reversed here.
std::pair<FineAffineMap, std::vector<TableDigit>> as_assigned(Draft const& draft, Tile const& tile,
                                                              FineAssignment const& assignment,
                                                              FineAffineMap const& at);

/// Sets the middle of a fused inverse. Its factors stand as they are assigned, which is what it returns; a symbol has none.
std::vector<TableDigit> set_middle(Program const& program, Tile const& tile, Draft& draft);

}  // namespace skipper
