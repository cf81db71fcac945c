// Times transforms, and Poisson solves, of data in host memory through a device that may use little of its own: both
// strategies, against what the link carries both ways at once and what a copy in host memory takes, measured in the same
// run. The input is a sum of a few modes, so what comes out is known everywhere; a wrong number makes the program fail.
//
//   bench_stream cuda:0 4G "c2c f32 forward 1024x1024x1024" solve=1 "c2c f32 forward 1024x1024x1024"
//   bench_stream cuda:0 4G pinned=1 "c2c f32 forward 24x24x24 batch 512"
//   bench_stream cuda:0 32G once=1 "c2c f32 forward 2048x2048x1800 in-place"
//
// From here on: `pinned=1`: the arrays are pinned. `once=1`: each is run once, not the median of five. `solve=1`: forward,
// divided by the symbol of the Laplacian, and back, as a Poisson problem on complex data.
#include <skipper/skipper.h>
#include <skipper/stream_poisson.h>

#include <algorithm>
#include <cstdio>

#include "bench/stream/machine.h"
#include "bench/stream/modes.h"

using namespace skipper;
using namespace skipper::bench;

namespace {

struct Options {
  StreamSettings settings;
  bool pinned = false, once = false, solve = false;
};

/// What is timed: a transform, or a solve.
struct Job {
  std::function<void(Number const*, Number*)> run;
  int trips = 0;
  std::int64_t device_bytes = 0;
  int host_passes = 0;
};

Job job_of(Problem const& problem, bool solve, StreamSettings const& settings) {
  bool const host = settings.strategy == StreamStrategy::host_and_device;
  if (!solve) {
    StreamPlan const plan(problem, settings);
    return {[plan](Number const* in, Number* out) { plan.execute(in, out); }, plan.trips(),
            plan.device_bytes(), host ? 1 : 0};
  }
  PoissonProblem p;
  p.precision = problem.precision;
  p.complex = true;
  for (Axis const& axis : problem.axes) {
    p.axes.emplace_back();
    p.axes.back().size = axis.size;
  }
  StreamPoisson const solver(p, settings);
  return {[solver](Number const* f, Number* phi) { solver.solve(f, phi); }, solver.trips(),
          solver.device_bytes(), host ? 2 : 0};
}

struct Times {
  double all = 0, streaming = 0;  // without what the host transforms before and after
  auto operator<=>(Times const&) const = default;
};

bool measure(Problem const& problem, Options const& options, StreamStrategy strategy, Number* from,
             Number* to, Machine const& machine) {
  Modes const modes(problem);
  StreamSettings settings = options.settings;
  settings.strategy = strategy;
  settings.pinned = options.pinned;
  Clock clock;
  std::vector<double> slices;  // when each was done; what the host transforms counts as one
  settings.progress = [&](StreamProgress const&) {
    slices.push_back(clock.seconds());
    return true;
  };
  Job const job = job_of(problem, options.solve, settings);
  std::vector<Times> times;
  for (int i = 0; i < (options.once ? 1 : 5); ++i) {
    if (from == to || i == 0) modes.fill(from, options.solve);
    slices.clear();
    clock = Clock();
    job.run(from, to);
    double const all = clock.seconds(), begin = job.host_passes > 0 ? slices.front() : 0,
                 end = job.host_passes > 1 ? slices[slices.size() - 2] : all;
    times.push_back({all, end - begin});
  }
  std::sort(times.begin(), times.end());
  auto const [time, streaming] = times[times.size() / 2];
  double const error = options.solve ? modes.error_of_values(to) : modes.error_of_spectrum(to);
  bool const right = error < (options.solve ? 1e-4 : 1e-5);
  // Of host memory: a transform there reads and writes all; a trip is a copy into pinned buffers and a copy out of them, which
  // the link itself finds in cache, or the link's alone where rows of pinned arrays are long.
  double const moved = double(in_bytes(problem) + out_bytes(problem)),
               link = job.trips * moved / machine.link();
  bool const direct = options.pinned && (strategy == StreamStrategy::device_only || !problem.batch.empty());
  double const memory = (job.host_passes + job.trips * (direct ? 1 : 2)) * moved / machine.host();
  std::printf(
      "  %-16s %8.4f s, %d trip%s, streaming %.4f s at %.1f GB/s: %.0f %% of the link; floors: link %.4f s, "
      "host "
      "memory %.4f s; %.2f x the larger; %.0f MiB of the device; error %.1e%s\n",
      strategy == StreamStrategy::device_only ? "device_only" : "host_and_device", time, job.trips,
      job.trips == 1 ? "" : "s", streaming, job.trips * moved / streaming * 1e-9, 100 * link / streaming,
      link, memory, time / std::max(link, memory), double(job.device_bytes) / (1 << 20), error,
      right ? "" : "  WRONG");
  std::fflush(stdout);
  return right;
}

bool measure(Problem const& problem, Options const& options, Machine& machine) {
  if (problem.kind != Kind::c2c || problem.precision != Precision::f32)
    throw Error("PROBLEM", "is not c2c f32, whose spectrum is checked; use that");
  bool const same = problem.placement == Placement::in_place;
  Array in(machine, "in", std::size_t(in_bytes(problem)), options.pinned),
      out(machine, "out", same ? 0 : std::size_t(out_bytes(problem)), options.pinned);
  Number* const from = static_cast<Number*>(in.data());
  Number* const to = same ? from : static_cast<Number*>(out.data());
  std::printf("%s%s%s: a copy in host memory %.1f GB/s, the link %.1f GB/s both ways at once\n",
              text(problem).c_str(), options.solve ? ", divided and back" : "",
              options.pinned ? ", pinned" : "", machine.host() * 1e-9, machine.link() * 1e-9);
  bool good = true;
  for (auto const strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) try {
      good &= measure(problem, options, strategy, from, to, machine);
    } catch (Error const& e) {
      std::printf("  %s\n", e.what());
    }
  return good;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_stream DEVICE LIMIT [pinned=0|1] [once=0|1] [solve=0|1] PROBLEM...\n");
    return 2;
  }
  Options options;
  options.settings.device = Device(words[1]);
  options.settings.memory_limit = bytes(words[2]);
  Machine machine(words[1]);
  bool good = true;
  for (int i = 3; i < count; ++i) {
    std::string const word = words[i];
    if (word.starts_with("pinned="))
      options.pinned = word.back() == '1';
    else if (word.starts_with("once="))
      options.once = word.back() == '1';
    else if (word.starts_with("solve="))
      options.solve = word.back() == '1';
    else
      good &= measure(parse_problem(word), options, machine);
  }
  return good ? 0 : 1;
} catch (Error const& e) {
  std::fprintf(stderr, "bench_stream: %s\n", e.what());
  return 2;
}
