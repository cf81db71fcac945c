// See needs.h. A schedule made in counting mode (tables.h) has the sizes of the real one.
#include "cpu/needs.h"

#include <skipper/error.h>

#include <algorithm>
#include <cmath>

#include "base/shortest.h"
#include "cpu/callbacks.h"
#include "cpu/narrow_columns.h"
#include "cpu/host.h"
#include "cpu/pool.h"

namespace skipper::cpu {
namespace {

template <class T>
Index iterations(Group<T> const& group) {
  Index times = 1;
  for (ArrayDim const& dim : group.outer) times *= dim.size;
  return times;
}

/// Whether a core's cache holds a long line.
template <class T>
bool fits_a_core(Schedule<T> const& schedule, Machine const& machine) {
  return std::max(schedule.longest, schedule.line) * static_cast<Index>(sizeof(T)) <= machine.l2_bytes;
}

/// The threads that can be at work at once at most.
template <class T>
Index max_at_once(Schedule<T> const& schedule, Machine const& machine) {
  Index most = 1;
  for (auto const& group : schedule.groups) {
    if (!group.one_at_a_time || fits_a_core(schedule, machine)) most = std::max(most, iterations(group));
    for (auto const& scheduled : group.steps) most = std::max(most, scheduled.step->tiles());
  }
  return most;
}

/// About the time of a schedule on one core, in nanoseconds. Schedule::cost is for 16-byte vectors.
template <class T>
double one_core_cost(Schedule<T> const& schedule, Machine const& machine) {
  return schedule.cost / std::sqrt(std::max(1.0, machine.vector_bytes / 16.0));
}

/// How many threads to wake. Waking one takes microseconds, so each must have enough work, and one thread does what takes less.
/// `cost` is in nanoseconds on one core. Fitted: bench/results/h200-choices.md.
int worth_waking(double cost, int threads) {
  if (cost < 5e4) return 1;
  return static_cast<int>(std::min<double>(threads, std::ceil(cost / 3e4)));
}

template <class T>
Needs counted(Problem const& problem, Machine const& machine, Variant const& set, int threads) {
  TableMaker tables(kernels<T>(set), threads, TableMaker::Mode::count);
  Schedule<T> const made = make_schedule<T>(problem, machine, tables);
  int const at_work = threads_at_work(made, machine, threads);
  double const buffer = static_cast<double>(at_work) * static_cast<double>(made.buffer);
  double const lines =
      static_cast<double>(lines_at_once(made, machine, at_work)) * static_cast<double>(made.line);
  double const scalars = static_cast<double>(made.work) + lines + buffer;
  return {tables.bytes(), static_cast<double>(sizeof(T)) * scalars};
}

/// Bytes of the longest line. No array of such a line exists where memory does not hold that.
double longest_line(Problem const& problem) {
  double longest = 0;
  for (Axis const& axis : problem.axes) longest = std::max(longest, static_cast<double>(axis.size));
  double const scalar = problem.precision == Precision::f64 ? 8 : 4;
  return longest * scalar * (problem.kind == Kind::c2c ? 2 : 1);
}

}  // namespace

template <class T>
int threads_at_work(Schedule<T> const& schedule, Machine const& machine, int threads) {
  return static_cast<int>(std::min<Index>(worth_waking(one_core_cost(schedule, machine), threads),
                                          max_at_once(schedule, machine)));
}
template int threads_at_work(Schedule<float> const&, Machine const&, int);
template int threads_at_work(Schedule<double> const&, Machine const&, int);

template <class T>
int lines_at_once(Schedule<T> const& schedule, Machine const& machine, int threads_at_work) {
  if (!fits_a_core(schedule, machine)) return 1;
  // Nanoseconds that threads wait for each other at each line: fitted, bench/results/h200-choices.md.
  double const sharing = 2e4 * std::log2(threads_at_work);
  for (auto const& group : schedule.groups) {
    if (!group.one_at_a_time) continue;
    Index const times = iterations(group), rounds = (times + threads_at_work - 1) / threads_at_work;
    double const line = one_core_cost(schedule, machine) / static_cast<double>(times);
    double const by_lines = static_cast<double>(rounds) * line;
    double const shared = static_cast<double>(times) * (line / threads_at_work + sharing);
    if (shared < by_lines) return 1;
  }
  return threads_at_work;
}
template int lines_at_once(Schedule<float> const&, Machine const&, int);
template int lines_at_once(Schedule<double> const&, Machine const&, int);

Needs needs(Problem const& problem, Machine const& machine, Options const& options) {
  check(problem);
  double const line = longest_line(problem);
  if (line > memory_limit(machine)) return {0, line};  // nothing that large can be planned for
  if (has_narrow_columns(problem, machine, options))
    return needs_of_narrow_columns(problem, machine, options);
  if (has_callbacks(problem, options)) return needs_of_buffered(problem, machine, options);
  Variant const& set = variant(options.instruction_set);
  int const threads = options.threads > 0 ? options.threads : cores();
  return problem.precision == Precision::f32 ? counted<float>(problem, machine, set, threads)
                                             : counted<double>(problem, machine, set, threads);
}

void refuse_what_cannot_fit(Problem const& problem, Machine const& machine, Options const& options) {
  constexpr double max_copies = 64;  // of a line, a bound for every plan: small problems need no exact count
  double const limit = memory_limit(machine);
  double points = 1;  // padding is not in the arrays but in the workspace
  for (Axis const& axis : problem.axes) points *= static_cast<double>(axis.size);
  if (points * 16 * max_copies < limit) return;
  Needs const all = needs(problem, machine, options);
  double const bytes = all.table_bytes + all.workspace_bytes;
  if (bytes <= limit) return;
  throw Error("problem", "needs " + whole_number(bytes) +
                             " bytes of tables and workspace beside its arrays but there are " +
                             whole_number(limit) +
                             " bytes of memory; stream the data with a memory limit, or take shorter axes");
}

}  // namespace skipper::cpu
