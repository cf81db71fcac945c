// The middle of a solve on a part of the array that a rank has whole along some axes: there along these, the spectrum
// divided by the symbol or eliminated along the tridiagonal axis, and back. Columns are independent of each other, so
// parts need nothing of one another.
#pragma once

#include "distributed/port.h"
#include "distributed/run.h"
#include "poisson/spread.h"

namespace skipper::poisson {

/// The constant mode of a singular problem, which one part has.
struct Constant {
  bool here = false;
  double mean = 0;  // that was taken off, of f
};

/// What the parts of a rank leave behind.
struct PartSolves {
  Constant constant;       // of the last solve
  Index memory_bytes = 0;  // that they hold
};

/// What makes the middle stage of the program: see RunOptions::middle. `all` lives as long as the actions do.
distributed::MakeMiddle part_solves(PoissonProblem const& problem, SpreadProgram const& program,
                                    std::shared_ptr<distributed::Processor const> processor, PartSolves& all);

/// Whether a shift meets an eigenvalue among those that have an index of axis 0 in this part. Only positive ones can.
bool meets_eigenvalue(PoissonProblem const& problem, distributed::Part const& part);

}  // namespace skipper::poisson
