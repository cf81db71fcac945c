// The public handle of a Poisson solver: chooses the precision and the way, and checks what the caller hands in.
#include <skipper/poisson.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "api/cpu_port.h"
#include "api/elements.h"
#include "api/engine.h"
#include "api/held.h"
#include "api/settings.h"
#include "api/stream_ports.h"
#include "cpu/process.h"
#include "poisson/boundary.h"
#include "poisson/on_gpu.h"
#include "poisson/solver.h"
#include "poisson/streamed.h"

namespace skipper {

namespace {

/// Solves take turns: a device has one set of streams.
struct SolveLock {
  std::mutex mutex;
  stream::Reserve reserve;
  std::optional<HostMemory> work;  // what was touched once is there the next time
  explicit SolveLock(stream::Device& device) : reserve(device) {}
};

/// A way through a device, with the ports that it goes by.
struct Through {
  StreamSettings settings;
  std::unique_ptr<stream::Device> device;
  std::optional<poisson::Streamed> solver;
  mutable CpuHost host;
  mutable cpu::PerProcess<SolveLock> locks;

  Through(PoissonProblem const& problem, StreamSettings const& s) : settings(s), host(host_options(s)) {
    with_device(settings,
                [&](std::unique_ptr<stream::Device> made, std::int64_t limit, StreamStrategy strategy) {
                  solver.emplace(problem, *made, limit, strategy, settings.pinned,
                                 bandwidths_for(settings, *made, limit));
                  device = std::move(made);
                });
  }

  double solve(void const* f, void* phi, ExecuteSettings const& call) const {
    demand_no_stream(call);
    if (!device->shares_memory()) gpu::demand_driver();  // it is gone in a child of fork()
    SolveLock& locked = locks.get(*device);
    std::lock_guard const lock(locked.mutex);
    if (!call.workspace && !locked.work) locked.work.emplace(solver->work_bytes());
    void* const work = call.workspace ? call.workspace : locked.work->data();
    double const defect = solver->solve(locked.reserve, host, f, phi, work, settings.progress);
    if (device->shares_memory()) locked.reserve.clear();
    return defect;
  }
  ~Through() { locks.discard(); }
};

using Solvers = std::variant<poisson::Solver<float>, poisson::Solver<double>, poisson::OnGpu, Through>;

std::size_t points_of(PoissonProblem const& problem) {
  std::size_t n = 1;
  for (PoissonAxis const& axis : problem.axes) n *= std::size_t(axis.size);
  return n;
}

/// With the values of the boundaries, and as the zero mode wants it. As in core, phi is untouched where there is no solution.
template <class T>
PoissonResult solved(PoissonProblem const& problem, Through const& way, T const* f, T* phi,
                     std::vector<Faces<T>> const& faces, ExecuteSettings const& settings) {
  bool const singular = is_singular(problem), careful = singular && problem.zero_mode == ZeroMode::error;
  std::size_t const n = points_of(problem);
  T const* from = f;
  std::vector<T> apart;  // the right side with boundary values, while phi must stay as it is
  if (poisson::any_values(problem, faces)) {
    if (careful) apart.resize(n);
    T* const changed = careful ? apart.data() : phi;
    if (changed != f) std::copy_n(f, n, changed);
    poisson::add_boundary_values(problem, faces, changed);
    from = changed;
  }
  if (careful) poisson::demand_solvable(problem, from);
  double const defect = way.solve(from, phi, settings);
  if (singular && problem.zero_mode == ZeroMode::pin)
    for (T const level = phi[0]; T & value : std::span(phi, n)) value -= level;
  return {defect};
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
  State(PoissonProblem const& p, StreamSettings const& settings)
      : problem(p), device("cpu"), solver(std::in_place_type<Through>, p, settings) {
    if (!std::get<Through>(solver).device->shares_memory()) device = settings.device;
  }
};

namespace {

void demand_arrays(PoissonProblem const& problem, Element f_type, Element phi_type, void const* f,
                   void const* phi) {
  Element const wanted = element_type(problem.precision, problem.complex);
  if (!fits(f_type, wanted)) throw wrong_element("f", f_type, wanted);
  if (!fits(phi_type, wanted)) throw wrong_element("phi", phi_type, wanted);
  if (!f || !phi) throw Error(f ? "phi" : "f", "is a null pointer; give the first element of the array");
}

template <class T>
PoissonResult solved(PoissonProblem const& problem, Solvers const& solver, T const* f, T* phi,
                     std::vector<Faces<T>> const& faces, ExecuteSettings const& settings) {
  demand_arrays(problem, element_v<T>, element_v<T>, f, phi);
  if (auto const* const mine = std::get_if<poisson::Solver<T>>(&solver)) {
    if (settings.stream)
      throw Error("stream", "is given but the solver is for the cpu, which has none; leave it out");
    return mine->solve(f, phi, faces, settings.workspace);
  }
  if (auto const* const way = std::get_if<Through>(&solver))
    return solved(problem, *way, f, phi, faces, settings);
  gpu::demand_driver();  // it is gone in a child of fork()
  return std::get<poisson::OnGpu>(solver).solve(f, phi, faces, settings);
}

void demand_real(PoissonProblem const& problem) {
  if (problem.complex)
    throw Error("complex",
                "is set, which goes only through a stream; give StreamSettings, or solve for the parts");
}

void demand_no_functions(Callbacks const& callbacks) {
  char const* const given = callbacks.load                  ? "callbacks.load"
                            : callbacks.store               ? "callbacks.store"
                            : !callbacks.cuda_load.empty()  ? "callbacks.cuda_load"
                            : !callbacks.cuda_store.empty() ? "callbacks.cuda_store"
                                                            : nullptr;
  if (given) throw Error(given, "is given but a Poisson solver takes none; apply it to f or phi yourself");
}

}  // namespace

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

Poisson::Poisson(PoissonProblem const& problem, StreamSettings const& settings) {
  check(problem);
  if (problem.complex && is_singular(problem) && problem.zero_mode != ZeroMode::zero_mean)
    throw Error("zero_mode", "is not zero_mean, which is all that complex problems have");
  state_ = std::make_shared<State const>(problem, settings);
}

PoissonResult Poisson::solve(float const* f, float* phi, ExecuteSettings const& settings) const {
  return solve(f, phi, std::vector<Faces<float>>(), settings);
}
PoissonResult Poisson::solve(double const* f, double* phi, ExecuteSettings const& settings) const {
  return solve(f, phi, std::vector<Faces<double>>(), settings);
}
PoissonResult Poisson::solve(float const* f, float* phi, std::vector<Faces<float>> const& faces,
                             ExecuteSettings const& settings) const {
  State const& state = held(state_, "poisson");
  return solved(state.problem, state.solver, f, phi, faces, settings);
}
PoissonResult Poisson::solve(double const* f, double* phi, std::vector<Faces<double>> const& faces,
                             ExecuteSettings const& settings) const {
  State const& state = held(state_, "poisson");
  return solved(state.problem, state.solver, f, phi, faces, settings);
}
PoissonResult Poisson::solve_complex(void const* f, Element f_type, void* phi, Element phi_type,
                                     ExecuteSettings const& settings) const {
  State const& state = held(state_, "poisson");
  demand_arrays(state.problem, f_type, phi_type, f, phi);
  return {std::get<Through>(state.solver).solve(f, phi, settings)};
}

std::size_t Poisson::workspace_bytes() const {
  return std::visit(
      [](auto const& solver) {
        if constexpr (requires { solver.workspace_bytes(); })
          return solver.workspace_bytes();
        else
          return std::size_t(solver.solver->work_bytes());
      },
      held(state_, "poisson").solver);
}

Device const& Poisson::device() const { return held(state_, "poisson").device; }
PoissonProblem const& Poisson::problem() const { return held(state_, "poisson").problem; }

int Poisson::trips() const {
  auto const* const way = std::get_if<Through>(&held(state_, "poisson").solver);
  return way ? way->solver->trips() : 0;
}
std::int64_t Poisson::device_bytes() const {
  auto const* const way = std::get_if<Through>(&held(state_, "poisson").solver);
  return way ? way->solver->device_bytes() : 0;
}
std::string Poisson::describe() const {
  auto const* const way = std::get_if<Through>(&held(state_, "poisson").solver);
  if (way) return way->solver->describe();
  return std::visit(
      [](auto const& solver) {
        if constexpr (requires { solver.describe(); })
          return solver.describe();
        else
          return std::string();
      },
      held(state_, "poisson").solver);
}

}  // namespace skipper
