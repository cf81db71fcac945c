// What a plan takes beside the user's arrays, and the refusal of what cannot fit.
#pragma once

#include "cpu/engine.h"
#include "cpu/schedule.h"

namespace skipper::cpu {

/// How many threads will be at work, out of so many: each is to be worth waking and to find a tile, and has a buffer of
/// its own.
template <class T>
int threads_at_work(Schedule<T> const& schedule, Machine const& machine, int threads);

/// How many long lines are in work at once, each with a buffer of Schedule::line: one for each of the threads at work where
/// a core's cache holds one and that takes less time, so that a thread takes whole lines; else one, and the threads share
/// the sweeps over each line, and wait for each other at their ends.
template <class T>
int lines_at_once(Schedule<T> const& schedule, Machine const& machine, int threads_at_work);

/// Throws Error where tables and workspace are more than the process can have, before any of it is made.
void refuse_what_cannot_fit(Problem const& problem, Machine const& machine, Options const& options);

}  // namespace skipper::cpu
