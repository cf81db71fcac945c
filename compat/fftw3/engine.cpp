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

std::optional<Plan> on_gpu(Problem const& problem, int threads) {
  std::optional<Device> const device = device_for(problem, threads);
  if (!device) return std::nullopt;
  PlanSettings settings;
  settings.device = *device;
  settings.gpu.host_arrays = HostArrays::staged;
  try {
    return Plan(problem, settings);
  } catch (std::exception const& e) {
    log_refusal(problem, e.what());
    return std::nullopt;
  }
}

}  // namespace

Engine::Plans Engine::plans_of(Problem const& problem, int threads) {
  if (std::optional<Plan> plan = on_gpu(problem, threads)) return {*plan, std::nullopt, true};
  std::optional<Plan> by_callback;
  auto const make_by_callback = [&] { by_callback = on_cpu(problem, threads, callback_executor()); };
  if (threads > 1 && has_callback()) make_by_callback();  // the first to be made computes the tables of both
  Plan const by_pool = on_cpu(problem, threads, {});
  if (threads > 1 && !by_callback) make_by_callback();
  return {by_pool, by_callback, false};
}

Engine::Engine(Problem const& problem, int threads) : plans_(plans_of(problem, threads)), threads_(threads) {}

/// In place only lack of memory is sure to have left the array as it was.
void Engine::execute_on_gpu(void const* in, void* out) const try {
  plans_.first.execute(in, out);
} catch (Error const& e) {
  Problem const& problem = plans_.first.problem();
  bool const in_place = problem.placement == Placement::in_place;
  if (in_place && e.argument() != "memory") throw;
  log_refusal(problem, e.what());
  on_cpu(problem, threads_, has_callback() ? callback_executor() : Executor()).execute(in, out);
}

}  // namespace skipper::fftw3
