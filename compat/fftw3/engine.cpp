// See engine.h.
#include "engine.h"

#include "device.h"

namespace skipper::fftw3 {
namespace {

Plan on_cpu(Problem const& problem, int threads, Executor const& executor) {
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = threads;
  settings.cpu.executor = executor;
  return Plan(problem, settings);
}

Plan plan_of(Problem const& problem, int threads, Executor const& executor) {
  if (std::optional<Device> const device = device_for(problem, threads)) {
    PlanSettings settings;
    settings.device = *device;
    settings.gpu.host_arrays = HostArrays::staged;
    try {
      return Plan(problem, settings);
    } catch (std::exception const& e) {
      log_refusal(problem, e.what());
    }
  }
  return on_cpu(problem, threads, executor);
}

}  // namespace

Engine::Engine(Problem const& problem, int threads, Executor const& executor)
    : plan_(plan_of(problem, threads, executor)),
      on_gpu_(plan_.device().name() == "cpu" ? nullptr : new OnGpu{threads, executor}) {}

/// In place only lack of memory is sure to have left the array as it was.
void Engine::execute_on_gpu(void const* in, void* out) const try {
  plan_.execute(in, out);
} catch (Error const& e) {
  bool const in_place = plan_.problem().placement == Placement::in_place;
  if (in_place && e.argument() != "memory") throw;
  log_refusal(plan_.problem(), e.what());
  on_cpu(plan_.problem(), on_gpu_->threads, on_gpu_->executor).execute(in, out);
}

}  // namespace skipper::fftw3
