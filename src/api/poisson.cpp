// The public handle of a Poisson solver: chooses the precision and checks what the caller hands in.
#include <skipper/poisson.h>

#include <utility>
#include <variant>

#include "api/engine.h"
#include "poisson/boundary.h"
#include "poisson/on_gpu.h"
#include "poisson/solver.h"

namespace skipper {

namespace {
using Solvers = std::variant<poisson::Solver<float>, poisson::Solver<double>, poisson::OnGpu>;
}

struct Poisson::State {
  PoissonProblem problem;
  Solvers solver;

  template <class T>
  State(PoissonProblem const& p, cpu::Options const& options, std::in_place_type_t<T> precision)
      : problem(p), solver(precision, p, cpu::host_machine(), options) {}
  State(PoissonProblem const& p, int device, gpu::Options const& options)
      : problem(p), solver(std::in_place_type<poisson::OnGpu>, p, device, options) {}
};

namespace {

template <class T>
PoissonResult solved(PoissonProblem const& problem, Solvers const& solver, T const* f, T* phi,
                     std::vector<Faces<T>> const& faces) {
  auto const* const mine = std::get_if<poisson::Solver<T>>(&solver);
  auto const* const device = std::get_if<poisson::OnGpu>(&solver);
  bool const same = problem.precision == (sizeof(T) == 4 ? Precision::f32 : Precision::f64);
  if (!mine && !(device && same))
    throw Error("solve", sizeof(T) == 4 ? "the arrays are f32 but the problem is f64; set its precision"
                                        : "the arrays are f64 but the problem is f32; set its precision");
  if (!f || !phi) throw Error(f ? "phi" : "f", "is a null pointer; give the first element of the array");
  if (mine) return mine->solve(f, phi, faces);
  if (poisson::any_values(problem, faces))
    throw Error(
        "faces",
        "has boundary values, which GPUs do not add to f yet; add them yourself, or use Device(\"cpu\")");
  return device->solve(f, phi);
}

}  // namespace

Poisson::Poisson(PoissonProblem const& problem)
    : Poisson(problem, [] {
        PlanSettings settings;
        settings.device = Device("cpu");
        return settings;
      }()) {}

Poisson::Poisson(PoissonProblem const& problem, PlanSettings const& settings) {
  check(problem);
  if (auto const device = cuda_number(settings.device.name())) try {
      state_ = std::make_shared<State const>(problem, *device, gpu_options(settings));
      return;
    } catch (Error const&) {
      if (!settings.device.is_best()) throw;
    }
  if (settings.threads < 0)
    throw Error("settings.threads", "is " + std::to_string(settings.threads) +
                                        " but must be at least 0, which is one for each core");
  cpu::Options const options{settings.threads, settings.instruction_set};
  if (problem.precision == Precision::f16) throw Error("precision", "is f16; Poisson solves in f32 or f64");
  if (problem.precision == Precision::f32)
    state_ = std::make_shared<State const>(problem, options, std::in_place_type<poisson::Solver<float>>);
  else
    state_ = std::make_shared<State const>(problem, options, std::in_place_type<poisson::Solver<double>>);
}

PoissonResult Poisson::solve(float const* f, float* phi, std::vector<Faces<float>> const& faces) const {
  return solved(state_->problem, state_->solver, f, phi, faces);
}
PoissonResult Poisson::solve(double const* f, double* phi, std::vector<Faces<double>> const& faces) const {
  return solved(state_->problem, state_->solver, f, phi, faces);
}

PoissonProblem const& Poisson::problem() const { return state_->problem; }
std::string Poisson::describe() const {
  return std::visit([](auto const& solver) { return solver.describe(); }, state_->solver);
}

}  // namespace skipper
