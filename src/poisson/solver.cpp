// See solver.h.
#include "poisson/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/shortest.h"
#include "base/spare_memory.h"
#include "cpu/host.h"
#include "cpu/pool.h"
#include "poisson/boundary.h"
#include "poisson/middle.h"
#include "poisson/outside.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

Spectrum spectrum_of(PoissonProblem const& problem, Outside const& all) {
  std::size_t const middle = middle_axis(problem);
  Spectrum spectrum;
  spectrum.complex = all.complex();
  for (std::size_t i = 0; i < all.stored.size(); ++i)
    (i < middle ? spectrum.outer : i == middle ? spectrum.n : spectrum.inner) *= all.stored[i];
  return spectrum;
}

cpu::Options resolved(cpu::Options options) {
  auto const [threads, executor] = cpu::resolved(options.threads, options.executor);
  options.threads = threads;
  options.executor = executor;
  return options;
}

/// Throws Error where tables and workspace exceed what the process can have, before any of it is allocated.
template <class T>
void refuse_what_cannot_fit(PoissonProblem const& problem, Machine const& machine,
                            cpu::Options const& options) {
  Outside const all = outside(problem);
  Spectrum const spectrum = spectrum_of(problem, all);
  double const limit = cpu::memory_limit(machine);
  double const points = double(spectrum.outer) * double(spectrum.n) * double(spectrum.inner);
  if (points * 1024 < limit) return;  // a bound for every solver: small problems need no exact count
  cpu::Needs needs = Middle<T>::needs(problem.axes[middle_axis(problem)], spectrum, machine, options);
  if (spectrum.complex) needs.workspace_bytes += points * 2 * sizeof(T);
  double outer = 0;  // the transforms of other axes run one after the other
  for (auto const* transform : {&all.forward, &all.back}) {
    if (!*transform) continue;
    cpu::Needs const own = cpu::needs(**transform, machine, options);
    needs.table_bytes += own.table_bytes;
    outer = std::max(outer, own.workspace_bytes);
  }
  double const bytes = needs.table_bytes + needs.workspace_bytes + outer;
  if (bytes <= limit) return;
  throw Error("axes", "need " + whole_number(bytes) +
                          " bytes of tables and workspace beside f and phi but there are " +
                          whole_number(limit) +
                          " bytes of memory; use StreamPoisson with a memory limit, or smaller sizes");
}

}  // namespace

template <class T>
struct Solver<T>::Body {
  PoissonProblem problem;
  cpu::Options options;
  Outside all;
  Spectrum spectrum;
  Middle<T> middle;
  std::optional<cpu::Transform> forward, forward_here, back;  // _here: from phi to phi, a real spectrum
  Index spectrum_scalars = 0;                                 // 0 where it lives in phi
  mutable SpareMemory spare;

  Body(PoissonProblem const& p, Machine const& machine, cpu::Options const& given)
      : problem(p),
        options(resolved(given)),
        all(outside(p)),
        spectrum(spectrum_of(p, all)),
        middle(p.axes[middle_axis(p)], p.symbols, spectrum, across_of(p, all), p.shift, is_singular(p),
               machine, options) {
    if (!all.forward) return;
    forward.emplace(*all.forward, machine, options);
    if (spectrum.complex) {
      spectrum_scalars = (spectrum.outer * spectrum.n * spectrum.inner * 2 + 15) / 16 * 16;
      back.emplace(*all.back, machine, options);
    } else {
      Problem here = *all.forward;
      here.placement = Placement::in_place;
      forward_here.emplace(here, machine, options);
      here = *all.back;
      here.placement = Placement::in_place;
      back.emplace(here, machine, options);
    }
  }

  /// Of the spectrum and the tiles of the middle axis.
  std::size_t own_bytes() const {
    return static_cast<std::size_t>(spectrum_scalars + middle.workspace()) * sizeof(T);
  }
  /// Of the transforms, one after the other, behind them in a workspace.
  std::size_t workspace_bytes() const {
    std::size_t outer = 0;
    for (auto const* transform : {&forward, &forward_here, &back})
      if (*transform) outer = std::max(outer, (*transform)->workspace_bytes());
    return lines(own_bytes()) + outer;
  }
  static constexpr std::size_t lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  double run(T const* f, T* phi, void* workspace) const {
    if (workspace)
      return run(f, phi, static_cast<T*>(workspace), static_cast<char*>(workspace) + lines(own_bytes()));
    AlignedMemory memory = spare.take(own_bytes());
    double const mean = run(f, phi, static_cast<T*>(memory.get()), nullptr);
    spare.give(std::move(memory));
    return mean;
  }

  /// Forward, middle and back; the mean that was taken off. f may be phi.
  double run(T const* f, T* phi, T* work, void* outer) const {
    T* const spectral = spectrum.complex ? work : phi;
    T const* from = f;
    if (forward) {
      if (spectral == f)
        forward_here->execute(phi, phi, outer);
      else
        forward->execute(f, spectral, outer);
      from = spectral;
    }
    double const mean = middle.run(from, spectral, work + spectrum_scalars);
    if (back) back->execute(spectral, phi, outer);
    return mean / all.gain;
  }

  void pin(T* phi) const {
    T const level = phi[0];
    Index count = 1;
    for (PoissonAxis const& axis : problem.axes) count *= axis.size;
    cpu::Team const team(count < 100000 ? 1 : options.threads, &options.executor);
    cpu::parallel_for(count, team, [&](int, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) phi[i] -= level;
    });
  }
};

template <class T>
Solver<T>::Solver(PoissonProblem const& problem, Machine const& machine, cpu::Options const& options) {
  refuse_what_cannot_fit<T>(problem, machine, resolved(options));
  body_ = std::make_unique<Body>(problem, machine, options);
}
template <class T>
Solver<T>::~Solver() = default;

template <class T>
std::size_t Solver<T>::workspace_bytes() const {
  return body_->workspace_bytes();
}

template <class T>
PoissonResult Solver<T>::solve(T const* f, T* phi, std::vector<Faces<T>> const& faces,
                               void* workspace) const {
  PoissonProblem const& problem = body_->problem;
  bool const singular = is_singular(problem), careful = singular && problem.zero_mode == ZeroMode::error;
  bool const values = any_values(problem, faces);
  Index count = 1;
  for (PoissonAxis const& axis : problem.axes) count *= axis.size;
  std::vector<T> apart;  // the right side with boundary values, while phi must stay as it is
  T const* from = f;
  if (values) {
    if (careful) apart.resize(static_cast<std::size_t>(count));
    T* const changed = careful ? apart.data() : phi;
    if (changed != f) std::copy_n(f, count, changed);
    add_boundary_values(problem, faces, changed);
    from = changed;
  }
  if (careful) demand_solvable(problem, from);
  double const defect = body_->run(from, phi, workspace);
  if (singular && problem.zero_mode == ZeroMode::pin) body_->pin(phi);
  return {singular ? defect : 0};
}

template <class T>
std::string Solver<T>::describe() const {
  std::string result;
  if (body_->forward) result += body_->forward->describe() + "\n";
  result += "axis " + std::to_string(middle_axis(body_->problem)) + ": " + body_->middle.text() + "\n";
  if (body_->back) result += body_->back->describe() + "\n";
  return result;
}

template class Solver<float>;
template class Solver<double>;

}  // namespace skipper::poisson
