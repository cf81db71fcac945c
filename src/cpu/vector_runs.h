// Finds the consecutive entries of a row op that one line can do by vectors (VectorRun in row_ops.h).
#pragma once

#include <skipper/problem.h>

#include <optional>

#include "cpu/trig.h"

namespace skipper::cpu {

/// A run without its table, and the entries that it does, [begin, end); of DCT-IV and DST-IV (row_ops.h) their partners too.
/// `copies`: the reals, two by two, are the points as they stand.
struct FoundRun {
  VectorRun<double> run;
  Index begin = 0, end = 0;
  bool dct4 = false, copies = false;
};

/// The run of an op whose rows are single numbers next to each other, if there is one; `lanes` entries at a time. Of many
/// entries it checks only a sample: those near the ends, and some in between.
std::optional<FoundRun> find_vector_run(TrigOp const& op, Index lanes);

}  // namespace skipper::cpu
