// See gpu_stopwatch.h.
#include "gpu_stopwatch.h"

#include <algorithm>

#include "all_cores.h"
#include "format.h"
#include "noise.h"
#include "reference/whole_check.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

/// Work made ready for timing: `times` executions a call, several as one graph where they are short.
struct Timed {
  std::function<void()> call;
  int times = 1;
};

Timed timed(Cuda& cuda, std::function<void()> const& work) {
  constexpr double sample = 2e-3, short_work = 1e-4;
  work();
  cuda.wait();  // what is made at the first call is made now, not under capture
  double const once = std::max(1e-7, cuda.seconds([&] { work(), work(); }) / 2);
  int const times = int(std::clamp(sample / once, 1.0, 200.0));
  if (once < short_work) return {cuda.replayed(work, times), times};
  return {[work, times] {
            for (int i = 0; i < times; ++i) work();
          },
          times};
}

}  // namespace

void CudaArrays::ready(Problem const& problem, std::size_t workspace_bytes) {
  bytes_ = std::size_t(std::max(in_bytes(problem), out_bytes(problem)));
  in_place_ = problem.placement == Placement::in_place;
  in = cuda_.device_memory("in", bytes_).data;
  out = in_place_ ? in : cuda_.device_memory("out", bytes_).data;
  spare = cuda_.device_memory("out", bytes_).data;
  work = workspace_bytes ? cuda_.device_memory("work", workspace_bytes).data : nullptr;
  host_in = cuda_.host_memory("in", bytes_).data;
  host_out = cuda_.host_memory("out", bytes_).data;
  if (filled_ < bytes_ || precision_ != problem.precision || where_ != host_in)
    fill_with_noise(host_in, bytes_, problem.precision);
  filled_ = bytes_, precision_ = problem.precision, where_ = host_in;
  restore();
}
void CudaArrays::run(std::function<void()> const& execute) {
  restore();
  if (!in_place_) cuda_.poison(out, bytes_);
  execute();
  cuda_.download(host_out, out, bytes_);
}

std::vector<Timing> measure_on(Cuda& cuda, std::vector<std::function<void()>> const& works,
                               MeasureSettings const& settings) {
  std::vector<Timed> ready;
  for (auto const& work : works) ready.push_back(timed(cuda, work));
  return in_rounds(works.size(), settings,
                   [&](std::size_t i) { return cuda.seconds(ready[i].call) / ready[i].times; });
}

reference::Accuracy judged(Problem const& problem, CudaArrays const& arrays) {
  reference::WholeCheck const whole = reference::whole_check(problem, arrays.host_in, arrays.host_out);
  if (!whole.good())
    throw Error(
        "result",
        formatted("is wrong: a sum over the outputs of one transform is off by {} times what rounding may do",
                  number_text(whole.worst)));
  reference::Accuracy const sampled = reference::accuracy(problem, arrays.host_in, arrays.host_out);
  if (!(sampled.l2 <= 4 * reference::allowed_l2(problem)))
    throw Error("result", formatted("is wrong: its error is {}", number_text(sampled.l2, 2)));
  return sampled;
}

void prepare_programs(Problem const& problem, PlanSettings const& settings,
                      std::vector<std::string> const& programs) {
  on_all_cores(programs.size(), settings.cpu.threads, [&](std::size_t i) {
    PlanSettings mine = settings;
    mine.cpu = {};
    mine.gpu.program = programs[i];
    try {
      Plan const plan(problem, mine);
    } catch (Error const&) {  // whoever runs it will be told
    }
  });
}

double CudaStopwatch::seconds(Plan const& plan) {
  arrays_.ready(plan.problem(), plan.workspace_bytes());
  std::function<void()> const work = [&] {
    plan.execute(arrays_.in, arrays_.out, {.workspace = arrays_.work, .stream = cuda_.stream()});
  };
  arrays_.run(work);
  if (plan.problem().order == Order::natural) judged(plan.problem(), arrays_);
  return measure_on(cuda_, {work}, {.repeats = 7, .seconds = 0.2})[0].seconds;
}

}  // namespace skipper::cli
