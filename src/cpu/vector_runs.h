// Finds among the entries of row ops what a single line can do by vectors: entries whose rows run on from one to the next.
#pragma once

#include <skipper/problem.h>

#include <optional>

#include "cpu/trig.h"

namespace skipper::cpu {

/// A run without its table, and the entries that it does, [begin, end); of the fourth kind (row_ops.h) their partners too.
/// `copies`: the reals, two by two, are the points as they stand.
struct FoundRun {
  VectorRun<double> run;
  Index begin = 0, end = 0;
  bool dct4 = false, copies = false;
};

/// The one run of an action whose rows are single numbers next to each other, if any; `lanes` entries at a time. Of many
/// entries some are looked at: those near the ends and every so many in between.
std::optional<FoundRun> find_vector_run(TrigOp const& op, Index lanes);

}  // namespace skipper::cpu
