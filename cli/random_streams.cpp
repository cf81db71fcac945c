// Transforms through slices of their data, judged as those in memory are.
#include <skipper/stream.h>

#include "coverage/streams.h"
#include "format.h"
#include "random_sorts.h"
#include "verdict.h"

namespace skipper::cli {
namespace {

constexpr char const* one_trip = "stream: one trip";
constexpr char const* more_trips = "stream: more than one trip";

// With the first of the limits, each twice the one before, in which a slice fits.
StreamPlan fitting_stream(coverage::StreamProblem const& s, StreamSettings settings) {
  for (int doublings = 0;; ++doublings) try {
      return StreamPlan(s.problem, settings);
    } catch (Error const& e) {
      if (e.argument() != "memory_limit" || doublings == 24) throw;
      settings.memory_limit *= 2;
    }
}

Outcome verify_stream(coverage::StreamProblem const& s, RandomRun& run) {
  StreamSettings settings;
  settings.device = run.device;
  settings.cpu = run.host;
  settings.memory_limit = s.memory_limit;
  settings.strategy = s.strategy;
  settings.pinned = s.pinned;
  StreamPlan const plan = fitting_stream(s, settings);
  JudgedArrays judged(s.problem);
  InAndOut const arrays = judged.arrays();
  Buffer work{std::int64_t(plan.workspace_bytes())};
  work.poison();
  plan.execute(arrays.in, arrays.out,
               {.workspace_bytes = work.bytes(), .workspace = work.bytes() ? work.data() : nullptr});
  return {complaint(judged.verdict(run.threads)), {plan.trips() == 1 ? one_trip : more_trips}};
}

Drawn draw_stream(std::uint64_t seed, std::uint64_t number, coverage::Sizes const& sizes) {
  coverage::StreamProblem const s = coverage::drawn_stream(seed, number, sizes);
  return {coverage::text(s), coverage::uses_of(s, coverage::stream_properties()),
          [s](RandomRun& run) { return verify_stream(s, run); }};
}

}  // namespace

RandomSort random_streams() {
  std::vector<std::string> words = coverage::names_of(coverage::stream_properties());
  words.insert(words.end(), {one_trip, more_trips});
  return {"streams", words, draw_stream};
}

}  // namespace skipper::cli
