// The memory that a plan takes beside the user's arrays, its number of threads, and the refusal of plans that cannot fit.
#pragma once

#include "cpu/engine.h"
#include "cpu/schedule.h"

namespace skipper::cpu {

/// How many of `threads` to use. A thread must have enough work to be worth waking, and a tile; each has a buffer of its own.
template <class T>
int threads_at_work(Schedule<T> const& schedule, Machine const& machine, int threads);

/// How many long lines to transform at once, each with a buffer of Schedule::line. Either one a thread, where a core's cache holds a
/// line and that is faster; or one, whose sweeps all threads share and wait for each other between.
template <class T>
int lines_at_once(Schedule<T> const& schedule, Machine const& machine, int threads_at_work);

/// Throws Error where tables and workspace exceed what the process can have, before any of it is allocated.
void refuse_what_cannot_fit(Problem const& problem, Machine const& machine, Options const& options);

}  // namespace skipper::cpu
