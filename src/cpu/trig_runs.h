// Finds in the tables of row ops what a single line can do by vectors: entries whose rows run on from one to the next.
#pragma once

#include <skipper/problem.h>

#include <optional>
#include <vector>

#include "cpu/trig.h"

namespace skipper::cpu {

/// A run, its table in double, and the entries that it does, [begin, end).
struct FoundRun {
  RowRun<double> run;
  std::vector<double> table;
  std::size_t begin = 0, end = 0;
};

/// The one run of an action whose rows are single numbers next to each other, if any; `lanes` entries at a time.
std::optional<FoundRun> find_run(TrigAction const& action, Index lanes);

}  // namespace skipper::cpu
