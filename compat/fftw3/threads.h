// The state of FFTW's threads calls.
#pragma once

#include <skipper/executor.h>

namespace skipper::fftw3 {

/// For plans that are made now.
int planner_threads();

/// Whether the program has set a function that runs the parts of a transform.
bool has_callback();

/// Runs tasks by that function as it is when they are run, and one after the other where there is none.
Executor callback_executor();

}  // namespace skipper::fftw3
