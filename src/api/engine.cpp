// The two engines in one coat.
#include "api/engine.h"

#include <utility>

#include "api/settings.h"
#include "api/tuned.h"
#include "base/stopwatch.h"
#include "cpu/engine.h"
#include "gpu/device.h"
#include "gpu/engine.h"
#include "plan/complex_parts.h"

namespace skipper {
namespace {

// Errors of calls stand apart, so that a call of nanoseconds pays for nothing of theirs.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_stream() {
  throw Error("stream", "is given but the plan is for the cpu, which has none; leave it out");
}

class CpuEngine final : public Engine {
 public:
  CpuEngine(Problem const& problem, PlanSettings const& settings)
      : transform_(problem, cpu::host_machine(), options(settings)) {
    watch_.lap("search");
  }
  std::size_t workspace_bytes() const override { return transform_.workspace_bytes(); }
  void execute(void const* in, void* out, ExecuteSettings const& settings) const override {
    if (settings.stream) refuse_stream();
    transform_.execute(in, out, settings.workspace);
  }
  std::string describe() const override { return transform_.describe(); }
  std::vector<PlanTiming> plan_timings() const override { return watch_.parts(); }

 private:
  static cpu::Options options(PlanSettings const& settings) {
    Callbacks const& callbacks = settings.callbacks;
    bool const load = callbacks.load || callbacks.cuda_load.empty(),
               store = callbacks.store || callbacks.cuda_store.empty();
    if (!load || !store)
      throw Error(load ? "callbacks.cuda_store" : "callbacks.cuda_load",
                  "is CUDA C++ but the plan is for the cpu; give a function as callbacks.load or "
                  "callbacks.store too");
    cpu::Options options = cpu_options(settings.cpu);
    options.load = callbacks.load;
    options.store = callbacks.store;
    return options;
  }

  Stopwatch watch_;  // begins before the transform
  cpu::Transform transform_;
};

/// With the problem on its first line, as planned() gives it, or its sweeps alone, as the papers print them.
Program given_program(Problem const& problem, std::string const& text_given) {
  std::size_t const first = text_given.find_first_not_of(" \n");
  bool const sweeps_alone = first == std::string::npos || text_given[first] == '{';
  Program const program = sweeps_alone ? parse_program(text_given, problem) : parse_program(text_given);
  if (program.problem != problem && program.problem != problem_of_parts(problem))
    throw Error("program", "is for " + text(program.problem) + " but the plan is for " + text(problem) +
                               "; give the program of the same problem");
  return program;
}

class CudaEngine final : public Engine {
 public:
  CudaEngine(gpu::Transform transform, std::string note)
      : transform_(std::move(transform)), note_(std::move(note)) {}
  std::size_t workspace_bytes() const override { return transform_.workspace_bytes(); }
  void execute(void const* in, void* out, ExecuteSettings const& settings) const override {
    gpu::demand_driver();  // it is gone in a child of fork()
    transform_.execute(in, out, settings.workspace, static_cast<gpu::Stream>(settings.stream));
  }
  std::string describe() const override { return transform_.describe() + note_; }
  std::vector<PlanTiming> plan_timings() const override { return transform_.plan_timings(); }

 private:
  gpu::Transform transform_;
  std::string note_;  // on tuning
};

std::unique_ptr<Engine const> cuda_engine(Problem const& problem, int device, PlanSettings const& settings) {
  Stopwatch watch;
  gpu::demand_driver();
  watch.lap("driver");
  Machine const& machine = gpu::device_machine(device);
  watch.lap("facts");
  std::string const& program = settings.gpu.program;
  Tuned chosen = program.empty() ? tuned(problem, settings.gpu, machine)
                                 : Tuned{given_program(problem, program), "", "", true};
  watch.lap("tuning");
  gpu::Options const options = gpu_options(settings);
  if (chosen.program) try {
      gpu::Options own = options;
      own.parts = chosen.program->problem != problem;
      return std::make_unique<CudaEngine const>(gpu::Transform(*chosen.program, device, own, watch),
                                                chosen.note);
    } catch (Error const& e) {  // it may have been tuned by kernels of another day
      if (chosen.demanded) throw;
      chosen.note = "not tuned: " + chosen.file + ": " + e.what() + "\n";
    }
  return std::make_unique<CudaEngine const>(gpu::Transform(problem, device, options, std::move(watch)),
                                            chosen.note);
}

}  // namespace

gpu::Options gpu_options(PlanSettings const& settings) {
  Callbacks const& callbacks = settings.callbacks;
  bool const load = callbacks.load && callbacks.cuda_load.empty(),
             store = callbacks.store && callbacks.cuda_store.empty();
  if (load || store)
    throw Error(load ? "callbacks.load" : "callbacks.store",
                "is a function of the CPU but the plan is for a GPU; give CUDA C++ as callbacks.cuda_load or "
                "callbacks.cuda_store too, or plan for the device \"cpu\"");
  gpu::Options options;
  HostArrays const host_arrays = settings.gpu.host_arrays;
  options.stage_host_arrays = host_arrays == HostArrays::staged ||
                              (host_arrays == HostArrays::by_device && settings.device.is_best());
  options.load = callbacks.cuda_load;
  options.store = callbacks.cuda_store;
  options.data = callbacks.cuda_data;
  return options;
}

std::unique_ptr<Engine const> make_engine(Problem const& problem, PlanSettings& settings) {
  if (auto const device = cuda_number(settings.device.name())) try {
      return cuda_engine(problem, *device, settings);
    } catch (Error const&) {
      if (!settings.device.is_best() || !settings.gpu.program.empty()) throw;
      settings.device = Device("cpu");
      settings.gpu = {};
    }
  if (!settings.gpu.program.empty())
    throw Error("gpu.program", "is given but the plan is for the cpu, which makes its own; leave it out");
  return std::make_unique<CpuEngine const>(problem, settings);
}

}  // namespace skipper
