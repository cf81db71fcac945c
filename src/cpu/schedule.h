// The schedule of a problem on a CPU: its steps in order, in groups. A group runs all its steps for one index of its outer
// loops before the next index, so that neighbouring axes share one sweep over memory while their plane is in cache.
#pragma once

#include <skipper/problem.h>

#include <memory>
#include <string>
#include <vector>

#include "base/machine.h"
#include "cpu/step.h"

namespace skipper::cpu {

/// The user's arrays; `work`, another array of the input's shape; `line`, one long line between its sweeps.
enum class Array { in, out, work, line };

/// A dimension of the problem: its size, and its stride in each Array, in scalars.
struct ArrayDim {
  Index size = 1;
  Index stride[4] = {0, 0, 0, 0};  // by Array: stride[int(Array::out)] is that in `out`
};

/// A step with the arrays that it reads and writes.
template <class T>
struct ScheduledStep {
  std::unique_ptr<Step<T> const> step;
  Array from = Array::in, to = Array::out;
  Index from_at = 0, to_at = 0,
        line_at = 0;  // scalars into these arrays, and where the step's Array::line begins
};

/// A pass between two arrays, which are numbered as in Array; number buffer_array is the thread's buffer.
inline constexpr int buffer_array = 4;
struct PassCall {
  Pass pass = nullptr;
  PassArgs args;
  int from = 0, to = 0;
  Index from_at = 0, to_at = 0;  // scalars
};

template <class T>
struct Group {
  std::vector<ArrayDim> outer;
  std::vector<PassCall>
      calls;  // all that one thread does for an outer index, where it is few passes and nothing else
  std::vector<ScheduledStep<T>> steps;
  bool one_at_a_time =
      false;  // long lines: one index of the outer loops at a time, for each line that is in work (lines_at_once)
};

template <class T>
struct Schedule {
  std::vector<Group<T>> groups;
  std::vector<ArrayDim> repeat;  // all groups, again and again: parts of a batch that share the work array
  Index work = 0, line = 0,
        buffer = 0;   // scalars; a buffer for each thread, line for each of lines_at_once()
  Index longest = 0;  // scalars of the longest of long lines
  double cost = 0;    // nanoseconds on one core, roughly
};

template <class T>
Schedule<T> make_schedule(Problem const& problem, Machine const& machine, TableMaker& tables);

template <class T>
std::string text(Schedule<T> const& schedule);

/// n = first * second for a line that is too long for one sweep, about equal; {n, 1} where n has no such factors.
struct TwoFactors {
  Index first = 1, second = 1;
};
TwoFactors factor_long_line(Index n);

}  // namespace skipper::cpu
