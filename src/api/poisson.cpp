// The public handle of a Poisson solver: chooses the precision and the engine, and checks what the caller hands in.
#include <skipper/poisson.h>

#include <utility>
#include <variant>

#include "api/engine.h"
#include "api/held.h"
#include "api/poisson_arrays.h"
#include "api/settings.h"
#include "poisson/on_gpu.h"
#include "poisson/solver.h"

namespace skipper {

namespace {

using Solvers = std::variant<poisson::Solver<float>, poisson::Solver<double>, poisson::OnGpu>;

void demand_real(PoissonProblem const& problem) {
  if (problem.complex)
    throw Error("complex",
                "is set, which streamed solvers alone take; use one, or solve for real and imaginary parts");
}

void demand_no_functions(Callbacks const& callbacks) {
  char const* const given = callbacks.load                  ? "callbacks.load"
                            : callbacks.store               ? "callbacks.store"
                            : !callbacks.cuda_load.empty()  ? "callbacks.cuda_load"
                            : !callbacks.cuda_store.empty() ? "callbacks.cuda_store"
                            : callbacks.cuda_data           ? "callbacks.cuda_data"
                                                            : nullptr;
  if (given) throw Error(given, "is given but a Poisson solver takes none; apply it to f or phi yourself");
}

}  // namespace

struct Poisson::State {
  PoissonProblem problem;
  Device device;
  Solvers solver;

  template <class T>
  State(PoissonProblem const& p, cpu::Options const& options, std::in_place_type_t<T> precision)
      : problem(p), device("cpu"), solver(precision, p, cpu::host_machine(), options) {}
  State(PoissonProblem const& p, Device const& gpu, int number, gpu::Options const& options)
      : problem(p), device(gpu), solver(std::in_place_type<poisson::OnGpu>, p, number, options) {}

  template <class T>
  PoissonResult solve(T const* f, T* phi, SolveSettings<T> const& settings) const {
    demand_arrays(problem, element_v<T>, element_v<T>, f, phi);
    demand_workspace(execution(settings), [&] {
      return std::visit([](auto const& s) { return std::size_t(s.workspace_bytes()); }, solver);
    });
    if (auto const* const here = std::get_if<poisson::Solver<T>>(&solver)) {
      if (settings.stream)
        throw Error("stream", "is given but the solver is for the cpu, which has none; leave it out");
      return here->solve(f, phi, settings.faces, settings.workspace);
    }
    gpu::demand_driver();  // it is gone in a child of fork()
    return std::get<poisson::OnGpu>(solver).solve(f, phi, settings.faces, execution(settings));
  }
};

Poisson::Poisson(PoissonProblem const& problem, PlanSettings const& settings) {
  check(problem);
  demand_real(problem);
  check_settings(settings.cpu);
  check_settings(settings.gpu);
  demand_cpu(settings.cpu, settings.device);
  demand_gpu(settings.gpu, settings.device);
  demand_no_program(settings.gpu, "a Poisson solver");
  demand_no_functions(settings.callbacks);
  if (auto const device = cuda_number(settings.device.name())) try {
      state_ = std::make_shared<State const>(problem, settings.device, *device, gpu_options(settings));
      return;
    } catch (Error const&) {
      if (!settings.device.is_best()) throw;
    }
  cpu::Options const options = cpu_options(settings.cpu);
  if (problem.precision == Precision::f32)
    state_ = std::make_shared<State const>(problem, options, std::in_place_type<poisson::Solver<float>>);
  else
    state_ = std::make_shared<State const>(problem, options, std::in_place_type<poisson::Solver<double>>);
}

PoissonResult Poisson::solve(float const* f, float* phi, SolveSettings<float> const& settings) const {
  return held(state_, "poisson").solve(f, phi, settings);
}
PoissonResult Poisson::solve(double const* f, double* phi, SolveSettings<double> const& settings) const {
  return held(state_, "poisson").solve(f, phi, settings);
}

std::size_t Poisson::workspace_bytes() const {
  return std::visit([](auto const& solver) { return std::size_t(solver.workspace_bytes()); },
                    held(state_, "poisson").solver);
}

Device const& Poisson::device() const { return held(state_, "poisson").device; }
PoissonProblem const& Poisson::problem() const { return held(state_, "poisson").problem; }
std::string Poisson::describe() const {
  return std::visit([](auto const& solver) { return solver.describe(); }, held(state_, "poisson").solver);
}

}  // namespace skipper
