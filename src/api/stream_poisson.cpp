// The public handle of Poisson solves that go through a device slice by slice: the schedule, and the ports it runs over.
#include <skipper/stream_poisson.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "api/cpu_port.h"
#include "api/held.h"
#include "api/poisson_arrays.h"
#include "api/stream_ports.h"
#include "cpu/process.h"
#include "gpu/driver.h"
#include "poisson/boundary.h"
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

/// A solver with the ports that it goes by.
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
    demand_workspace(call, [&] { return solver->work_bytes(); });
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

std::size_t points_of(PoissonProblem const& problem) {
  std::size_t n = 1;
  for (PoissonAxis const& axis : problem.axes) n *= std::size_t(axis.size);
  return n;
}

/// With the values of the boundaries, and as the zero mode wants it. As in core, phi is untouched where there is no solution.
template <class T>
PoissonResult solved(PoissonProblem const& problem, Through const& through, T const* f, T* phi,
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
  double const defect = through.solve(from, phi, settings);
  if (singular && problem.zero_mode == ZeroMode::pin)
    for (T const level = phi[0]; T & value : std::span(phi, n)) value -= level;
  return {defect};
}

void check_stream(PoissonProblem const& problem) {
  check(problem);
  if (problem.complex && is_singular(problem) && problem.zero_mode != ZeroMode::zero_mean)
    throw Error("zero_mode", "is not zero_mean, which is all that complex problems have");
}

}  // namespace

struct StreamPoisson::State {
  PoissonProblem problem;
  Through through;
  Device device = Device("cpu");

  State(PoissonProblem const& p, StreamSettings const& settings) : problem(p), through(p, settings) {
    if (!through.device->shares_memory()) device = Device(settings.device.name());
  }

  template <class T>
  PoissonResult solve(T const* f, T* phi, SolveSettings<T> const& settings) const {
    demand_arrays(problem, element_v<T>, element_v<T>, f, phi);
    return solved(problem, through, f, phi, settings.faces, execution(settings));
  }
};

StreamPoisson::StreamPoisson(PoissonProblem const& problem, StreamSettings const& settings) {
  check_stream(problem);
  state_ = std::make_shared<State const>(problem, settings);
}

PoissonResult StreamPoisson::solve(float const* f, float* phi, SolveSettings<float> const& settings) const {
  return held(state_, "poisson").solve(f, phi, settings);
}
PoissonResult StreamPoisson::solve(double const* f, double* phi,
                                   SolveSettings<double> const& settings) const {
  return held(state_, "poisson").solve(f, phi, settings);
}
PoissonResult StreamPoisson::solve_complex(void const* f, Element f_type, void* phi, Element phi_type,
                                           ExecuteSettings const& settings) const {
  State const& state = held(state_, "poisson");
  demand_arrays(state.problem, f_type, phi_type, f, phi);
  return {state.through.solve(f, phi, settings)};
}

PoissonProblem const& StreamPoisson::problem() const { return held(state_, "poisson").problem; }
Device const& StreamPoisson::device() const { return held(state_, "poisson").device; }
std::size_t StreamPoisson::workspace_bytes() const {
  return std::size_t(held(state_, "poisson").through.solver->work_bytes());
}
std::int64_t StreamPoisson::device_bytes() const {
  return held(state_, "poisson").through.solver->device_bytes();
}
int StreamPoisson::trips() const { return held(state_, "poisson").through.solver->trips(); }
std::string StreamPoisson::describe() const { return held(state_, "poisson").through.solver->describe(); }

}  // namespace skipper
