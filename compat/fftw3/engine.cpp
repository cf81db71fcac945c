// See engine.h.
#include "engine.h"

namespace skipper::fftw3 {
namespace {

PlanSettings settings_for(int threads, Executor const& executor) {
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = threads;
  settings.cpu.executor = executor;
  return settings;
}

}  // namespace

Engine::Engine(Problem const& problem, int threads, Executor const& executor)
    : plan_(problem, settings_for(threads, executor)) {}

}  // namespace skipper::fftw3
