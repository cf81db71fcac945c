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
#include "cases.h"
#include "check.h"
#include "escape.h"
#include "gpu.h"
#include "peer_cufft.h"
#include "reference.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

/// Reals between -1 and 1 that are the same on every run, made on all cores.
void fill_random(void* data, std::size_t bytes, Precision precision) {
  std::size_t const size = precision == Precision::f16   ? 2
                           : precision == Precision::f32 ? 4
                                                         : 8,
                    count = bytes / size, piece = 1 << 20;
  on_all_cores((count + piece - 1) / piece, 0, [&](std::size_t p) {
    for (std::size_t i = p * piece; i < std::min(count, (p + 1) * piece); ++i) {
      std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;  // splitmix64
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      double const x = double(std::int64_t(z ^ (z >> 31)) >> 11) * 0x1p-52;
      if (precision == Precision::f16)
        static_cast<Half*>(data)[i] = Half(float(x));
      else if (precision == Precision::f32)
        static_cast<float*>(data)[i] = float(x);
      else
        static_cast<double*>(data)[i] = x;
    }
  });
}

/// Device arrays, which stay from case to case, and a copy of the input on the host.
class Arrays {
 public:
  explicit Arrays(Cuda& cuda) : cuda_(cuda) {}

  void ready(Problem const& problem, std::size_t workspace_bytes) {
    bytes_ = std::size_t(std::max(in_bytes(problem), out_bytes(problem)));
    in_place_ = problem.placement == Placement::in_place;
    in = cuda_.device_memory("in", bytes_).data;
    out = in_place_ ? in : cuda_.device_memory("out", bytes_).data;
    spare = cuda_.device_memory("out", bytes_).data;
    work = workspace_bytes ? cuda_.device_memory("work", workspace_bytes).data : nullptr;
    host_in = cuda_.host_memory("in", bytes_).data;
    host_out = cuda_.host_memory("out", bytes_).data;
    if (filled_ < bytes_ || precision_ != problem.precision || where_ != host_in)
      fill_random(host_in, bytes_, problem.precision);
    filled_ = bytes_, precision_ = problem.precision, where_ = host_in;
    restore();
  }
  void restore() { cuda_.upload(in, host_in, bytes_); }

  /// Runs the transform once on fresh arrays and brings its result to the host.
  void run(std::function<void()> const& execute) {
    restore();
    if (!in_place_) cuda_.poison(out, bytes_);
    execute();
    cuda_.download(host_out, out, bytes_);
  }

  void *in = nullptr, *out = nullptr, *spare = nullptr, *work = nullptr, *host_in = nullptr,
       *host_out = nullptr;

 private:
  Cuda& cuda_;
  std::size_t bytes_ = 0, filled_ = 0;
  Precision precision_ = Precision::f32;
  void* where_ = nullptr;
  bool in_place_ = false;
};

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

Timing summary(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::size_t const n = samples.size();
  double const median = (samples[n / 2] + samples[(n - 1) / 2]) / 2;
  return {median, (samples[n - 1 - n / 4] - samples[n / 4]) / median};
}

std::vector<Timing> measure_on(Cuda& cuda, std::vector<std::function<void()>> const& works,
                               MeasureSettings const& settings) {
  std::vector<Timed> ready;
  for (auto const& work : works) ready.push_back(timed(cuda, work));
  std::vector<std::vector<double>> samples(works.size());
  double const end = now() + settings.seconds * double(works.size());
  for (int round = 0; round < settings.repeats && (round < 3 || now() < end); ++round)
    for (std::size_t i = 0; i < ready.size(); ++i)
      samples[i].push_back(cuda.seconds(ready[i].call) / ready[i].times);
  std::vector<Timing> result;
  for (auto const& s : samples) result.push_back(summary(s));
  return result;
}

Accuracy judged(Problem const& problem, Arrays const& arrays) {
  WholeCheck const whole = whole_check(problem, arrays.host_in, arrays.host_out, allowed_l2(problem));
  if (!whole.good())
    throw Error("result", "is wrong: a sum over the outputs of one transform is off by " +
                              number_text(whole.worst) + " times what rounding may do");
  Accuracy const sampled = accuracy(problem, arrays.host_in, arrays.host_out);
  if (!(sampled.l2 <= 4 * allowed_l2(problem)))
    throw Error("result", "is wrong: its error is " + number_text(sampled.l2, 2));
  return sampled;
}

/// On the GPU itself, so that what it cannot do is said; without clusters by the program that the planner then makes.
PlanSettings settings_for(Problem const& problem, BenchSettings const& settings) {
  PlanSettings result = settings.plan;
  result.device = Device(settings.plan.device.name());
  if (settings.clusters) return result;
  for (DeviceDescription const& d : devices())
    if (d.name == result.device.name())
      result.program = planned(problem, d.machine, {.clusters = false, .chunks = false, .most = 1})[0].text;
  return result;
}

// The line of a plan's description that says whether it is tuned, if there is one.
std::string tuning_of(Plan const& plan) {
  std::istringstream lines(plan.describe());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("tuned: ") || line.starts_with("not tuned: ")) return line;
  return "";
}

MeasuredCase cuda_case(Problem const& problem, BenchSettings const& settings, Cuda& cuda, Arrays& arrays) {
  PlanSettings const plan_settings = settings_for(problem, settings);
  double const begin = now();
  Plan const plan(problem, plan_settings);
  double const plan_seconds = now() - begin;
  arrays.ready(problem, plan.workspace_bytes());
  std::function<void()> const ours = [&] { plan.execute(arrays.in, arrays.out, arrays.work, cuda.stream()); };
  arrays.run(ours);
  Accuracy const exactness = judged(problem, arrays);
  MeasuredCase result{text(problem), 0, 0,  {},           exactness.l2,
                      exactness.max, 0, {}, plan_seconds, tuning_of(plan)};

  std::optional<PeerPlan> peer;
  if (std::find(settings.peers.begin(), settings.peers.end(), "cufft") != settings.peers.end())
    peer = plan_cufft(problem, arrays.in, arrays.out, cuda.stream());
  if (peer) {
    arrays.run(peer->execute);
    result.peer_errors.emplace_back("cufft", accuracy(problem, arrays.host_in, arrays.host_out).l2);
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

}  // namespace

Report bench_cuda_cases(std::vector<Case> const& cases, BenchSettings const& settings) {
  Report report = empty_report(settings.plan.device.name(), thread_count(0), {});
  if (!settings.peers.empty()) report.versions.emplace_back("cufft", cufft_version());
  Cuda cuda(cuda_device(settings.plan.device.name()));
  Arrays arrays(cuda);
  Progress progress(cases.size());
  double const end = settings.within > 0 ? now() + settings.within : INFINITY;
  for (Case const& c : cases) {
    progress.step(c.line);
    std::string fault = c.fault;
    try {
      if (now() > end)
        fault = "no time was left";
      else if (c.problem)
        report.cases.push_back(cuda_case(*c.problem, settings, cuda, arrays));
    } catch (Error const& e) {
      fault = e.what();
      if (e.argument() == "memory") cuda.free_device_memory();  // the next one may do with less
    } catch (std::bad_alloc const&) {
      fault = "there is not enough memory";
    }
    if (!fault.empty()) report.skipped.emplace_back(c.line, fault);
    if (!settings.save.empty()) save_report(settings.save, report, &c == &cases.back());
  }
  return report;
}

namespace {

// "1.2 ms (search 0.8 ms, lowering 0.3 ms)": the parts worth a word.
std::string creation_text(Plan const& plan, double seconds) {
  std::string parts;
  for (PlanPart const& part : plan.creation())
    if (part.seconds >= 0.005 * seconds)
      parts += (parts.empty() ? " (" : ", ") + part.name + " " + seconds_text(part.seconds);
  return seconds_text(seconds) + parts + (parts.empty() ? "" : ")");
}

}  // namespace

int prepare_cases(std::vector<Case> const& cases, BenchSettings const& settings) {
  std::mutex mutex;
  int failed = 0;
  double const first = now();
  std::optional<Cuda> cuda;  // whoever computes on a GPU has a context: it is not the plan that pays for it
  if (int const device = cuda_device(settings.plan.device.name()); device >= 0) {
    cuda.emplace(device);
    std::printf("%-44s %s\n", "the context, before all plans", seconds_text(now() - first).c_str());
  }
  double const begin = now();
  on_all_cores(cases.size(), settings.plan.threads, [&](std::size_t i) {
    std::string said = cases[i].fault;
    bool good = false;
    try {
      if (cases[i].problem) {
        PlanSettings const own = settings_for(*cases[i].problem, settings);
        double const start = now();
        Plan const plan(*cases[i].problem, own);
        said = creation_text(plan, now() - start);
        good = true;
      }
    } catch (Error const& e) {
      said = e.what();
    }
    std::lock_guard const lock(mutex);
    failed += !good;
    std::printf("%-44s %s\n", escaped(cases[i].line).c_str(), escaped_lines(said).c_str());
  });
  std::printf("%zu plans in %s\n", cases.size() - std::size_t(failed), seconds_text(now() - begin).c_str());
  return failed;
}

void prepare_programs(Problem const& problem, PlanSettings const& settings,
                      std::vector<std::string> const& programs) {
  on_all_cores(programs.size(), settings.threads, [&](std::size_t i) {
    PlanSettings mine = settings;
    mine.program = programs[i];
    try {
      Plan const plan(problem, mine);
    } catch (Error const&) {  // whoever runs it will be told
    }
  });
}

struct CudaStopwatch::State {
  explicit State(int device) : cuda(device), arrays(cuda) {}
  Cuda cuda;
  Arrays arrays;
};

CudaStopwatch::CudaStopwatch(int device) : state_(std::make_unique<State>(device)) {}
CudaStopwatch::~CudaStopwatch() = default;

double CudaStopwatch::seconds(Plan const& plan) {
  Arrays& arrays = state_->arrays;
  arrays.ready(plan.problem(), plan.workspace_bytes());
  std::function<void()> const work = [&] {
    plan.execute(arrays.in, arrays.out, arrays.work, state_->cuda.stream());
  };
  arrays.run(work);
  if (plan.problem().order == Order::natural) judged(plan.problem(), arrays);
  return measure_on(state_->cuda, {work}, {.repeats = 7, .seconds = 0.2})[0].seconds;
}

}  // namespace skipper::cli
