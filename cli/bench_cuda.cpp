// One case on a GPU, and lists of them.
#include "bench_cuda.h"

#include <skipper/planning.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <optional>
#include <sstream>

#include "all_cores.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "gpu_stopwatch.h"
#include "peer_cufft.h"

namespace skipper::cli {
namespace {

/// On the GPU itself, so that what it cannot do is said; without clusters by the program that the planner then makes.
PlanSettings settings_for(Problem const& problem, BenchSettings const& settings) {
  PlanSettings result = settings.plan;
  result.device = Device(settings.plan.device.name());
  result.cpu = {};  // they are for what is done beside the plan
  if (settings.clusters) return result;
  for (DeviceDescription const& d : devices())
    if (d.name == result.device.name())
      result.gpu.program =
          planned(problem, d.machine, {.clusters = false, .l2_blocks = false, .max_candidates = 1})[0].text;
  return result;
}

// The line of a plan's description that says whether it is tuned, if there is one.
std::string tuning_of(Plan const& plan) {
  std::istringstream lines(plan.describe());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("tuned: ") || line.starts_with("not tuned: ")) return line;
  return "";
}

MeasuredCase cuda_case(Problem const& problem, BenchSettings const& settings, Cuda& cuda,
                       CudaArrays& arrays) {
  PlanSettings const plan_settings = settings_for(problem, settings);
  double const begin = now();
  Plan const plan(problem, plan_settings);
  double const plan_seconds = now() - begin;
  arrays.ready(problem, plan.workspace_bytes());
  std::function<void()> const ours = [&] {
    plan.execute(arrays.in, arrays.out, {.workspace = arrays.work, .stream = cuda.stream()});
  };
  arrays.run(ours);
  reference::Accuracy const exactness = judged(problem, arrays);
  MeasuredCase result{text(problem), 0, 0,  {},           exactness.l2,
                      exactness.max, 0, {}, plan_seconds, tuning_of(plan)};

  std::optional<PeerPlan> peer;
  if (std::find(settings.peers.begin(), settings.peers.end(), "cufft") != settings.peers.end())
    peer = plan_cufft(problem, arrays.in, arrays.out, cuda.stream());
  if (peer) {
    arrays.run(peer->execute);
    result.peer_errors.emplace_back("cufft",
                                    reference::accuracy(problem, arrays.host_in, arrays.host_out).l2);
    arrays.restore();  // c2r may have written over it
  }
  std::size_t const copied = std::size_t(moved_bytes(problem) / 2);
  std::vector<std::function<void()>> works{ours, [&] { cuda.copy(arrays.spare, arrays.in, copied); }};
  if (problem.placement ==
      Placement::in_place) {  // there is one array: copy from one half of the two into the other
    void* const from = cuda.device_memory("copied", copied).data;
    works[1] = [&cuda, &arrays, from, copied] { cuda.copy(arrays.spare, from, copied); };
  }
  if (peer) works.push_back(peer->execute);
  std::vector<Timing> const times = measure_on(cuda, works, settings.measure);
  result.seconds = times[0].seconds, result.spread = times[0].spread;
  result.copy_seconds = times[1].seconds;
  if (peer) result.peers.emplace_back("cufft", times[2].seconds);
  return result;
}

// "1.2 ms (search 0.8 ms, lowering 0.3 ms)": the parts worth a word.
std::string plan_timings_text(Plan const& plan, double seconds) {
  std::vector<std::string> parts;
  for (PlanTiming const& part : plan.plan_timings())
    if (part.seconds >= 0.005 * seconds)
      parts.push_back(formatted("{} {}", part.name, seconds_text(part.seconds)));
  if (parts.empty()) return seconds_text(seconds);
  return formatted("{} ({})", seconds_text(seconds), joined(parts, ", "));
}

}  // namespace

Report bench_cuda_cases(std::vector<Case> const& cases, BenchSettings const& settings, Grown const& grown) {
  Report report = empty_report(settings.plan.device.name(), thread_count(0), {});
  if (!settings.peers.empty()) report.versions.emplace_back("cufft", cufft_version());
  Cuda cuda(cuda_device(settings.plan.device.name()));
  CudaArrays arrays(cuda);
  auto const measure = [&](Problem const& problem) {
    try {
      return cuda_case(problem, settings, cuda, arrays);
    } catch (Error const& e) {
      if (e.argument() == "memory") cuda.free_device_memory();  // the next one may do with less
      throw;
    }
  };
  return measured_cases(std::move(report), cases, settings, measure, grown);
}

int prepare_cases(std::vector<Case> const& cases, BenchSettings const& settings) {
  auto const say = [](std::string const& what, std::string const& took) {
    print("{:<44} {}\n", what, took);
    std::fflush(stdout);
  };
  std::mutex mutex;
  int failed = 0;
  double const first = now();
  std::optional<Cuda> cuda;  // whoever computes on a GPU has a context: it is not the plan that pays for it
  if (int const device = cuda_device(settings.plan.device.name()); device >= 0) {
    cuda.emplace(device);
    say("the context, before all plans", seconds_text(now() - first));
  }
  double const begin = now();
  on_all_cores(cases.size(), settings.plan.cpu.threads, [&](std::size_t i) {
    std::string said = cases[i].fault;
    bool good = false;
    if (cases[i].problem) {
      Fault const fault = fault_of([&] {
        PlanSettings const own = settings_for(*cases[i].problem, settings);
        double const start = now();
        Plan const plan(*cases[i].problem, own);
        said = plan_timings_text(plan, now() - start);
      });
      good = fault.why.empty();
      if (!good) said = fault.why;
    }
    std::lock_guard const lock(mutex);
    failed += !good;
    say(escaped(cases[i].line), escaped_lines(said));
  });
  print("{} plans in {}\n", cases.size() - std::size_t(failed), seconds_text(now() - begin));
  return failed;
}

}  // namespace skipper::cli
