#include "poisson/on_gpu.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "plan/joint.h"
#include "poisson/boundary.h"
#include "poisson/faces_on_gpu.h"
#include "poisson/outside.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

std::size_t periodic_axes(PoissonProblem const& p) {
  return std::size_t(std::count_if(p.axes.begin(), p.axes.end(),
                                   [](PoissonAxis const& a) { return a.low == Boundary::periodic; }));
}

/// The problem as it is solved by elimination, nothing where it is not: one axis is tridiagonal, or can be, since that is the
/// same equation of second order, and there are too few periodic ones for a joint.
std::optional<PoissonProblem> swept(PoissonProblem p) {
  if (p.axes.size() == 1) return std::nullopt;
  if (is_tridiagonal(p.axes[middle_axis(p)])) return p;
  bool const joint = periodic_axes(p) == p.axes.size() || periodic_axes(p) >= 2;
  if (joint || p.shift > 0 || p.symbols != Symbols::second_order) return std::nullopt;
  for (PoissonAxis& axis : p.axes)
    if (axis.low != Boundary::periodic) {
      axis.tridiagonal = true;
      break;
    }
  return p;
}

void demand_solvable(PoissonProblem const& p) {
  if (p.precision == Precision::f16) throw Error("precision", "is f16; Poisson solves in f32 or f64");
  if (is_singular(p) && p.zero_mode != ZeroMode::zero_mean)
    throw Error("zero_mode", "is not zero_mean, which is all that GPUs do; use that, or Device(\"cpu\")");
  if (swept(p)) return;
  if (is_tridiagonal(p.axes[middle_axis(p)]) || periodic_axes(p) == 0)
    throw Error("axes", "has no transform beside a swept axis; use Device(\"cpu\")");
  if (periodic_axes(p) < p.axes.size() && periodic_axes(p) < 2)
    throw Error(
        p.shift > 0 ? "shift" : "symbols",
        "with less than two periodic axes beside others GPUs solve by elimination, which is of second "
        "order and for shifts of zero or below; use that, or Device(\"cpu\")");
}

ConvolutionEnds ends_of(PoissonProblem const& problem) {
  ConvolutionEnds ends;
  ends.there.kind = Kind::r2c;
  ends.back.kind = Kind::c2r;
  ends.back.direction = Direction::inverse;
  ends.there.precision = ends.back.precision = problem.precision;
  for (PoissonAxis const& axis : problem.axes) {
    Transforms const kinds = transforms(axis);
    ends.there.axes.push_back({axis.size, 0, 0, kinds.forward});
    ends.back.axes.push_back({axis.size, 0, 0, kinds.back});
  }
  return {dense_layout(ends.there), dense_layout(ends.back)};
}

double gain_of(PoissonProblem const& problem) {
  double gain = 1;
  for (PoissonAxis const& axis : problem.axes) gain *= transforms(axis).gain;
  return gain;
}

/// The eigenvalues of each axis, the shift with the first, times the gain of the transforms: of one sign, so that their sum
/// is as good in f32 as they are.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem) {
  gpu::AxisSymbols all;
  for (PoissonAxis const& axis : problem.axes) {
    all.push_back(eigenvalues(axis, problem.symbols));
    for (double& v : all.back()) v = gain_of(problem) * (v + (all.size() == 1 ? problem.shift : 0));
  }
  return all;
}

/// With a positive shift, where sums cancel: one over the symbol and the gain at every mode that is stored.
std::vector<std::complex<double>> inverse_symbols(PoissonProblem const& problem, Problem const& there,
                                                  bool whole) {
  std::vector<double> symbols{problem.shift};
  double const gain = gain_of(problem);
  auto const halved = halved_axis(there);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    auto values = eigenvalues(problem.axes[i], problem.symbols);
    if (!whole && halved == i) values.resize(values.size() / 2 + 1);
    std::vector<double> next;
    next.reserve(symbols.size() * values.size());
    for (double const s : symbols)
      for (double const v : values) next.push_back(s + v);
    symbols = std::move(next);
  }
  double largest = 0;
  for (double const s : symbols) largest = std::max(largest, std::abs(s));
  for (double const s : symbols)
    if (std::abs(s) <= 64 * std::numeric_limits<double>::epsilon() * largest)
      throw Error("shift",
                  "is " + std::to_string(problem.shift) +
                      ", which meets an eigenvalue, so there is no unique solution; change it a little");
  std::vector<std::complex<double>> all;
  all.reserve(symbols.size());
  for (double const s : symbols) all.push_back(1 / (gain * s));
  return all;
}

gpu::Transform solver_of(PoissonProblem const& problem, int device, gpu::Options const& options) {
  ConvolutionEnds const ends = ends_of(problem);
  if (problem.shift <= 0) return gpu::Transform(ends, Factors::symbol, symbols_of(problem), device, options);
  return gpu::Transform(
      ends, Factors::shared, [&](bool whole) { return inverse_symbols(problem, ends.there, whole); }, device,
      options);
}

/// The middle axis for three plans, where these take less than the joint of all axes. Of small problems nothing goes in chunks.
std::optional<std::size_t> better_split(PoissonProblem const& problem, int device) {
  if (problem.shift > 0) return std::nullopt;
  Machine const machine = gpu::device_machine(device);
  ConvolutionEnds const ends = ends_of(problem);
  Joint const joint = joints(ends, Factors::symbol, machine).front();
  if (in_bytes(ends.there) < 2 * machine.l2_bytes && joint.there.sweeps.size() <= 2) return std::nullopt;
  auto const split = SplitOnGpu::choice(problem, machine);
  return split && split->cost < joint.cost ? std::optional(split->middle) : std::nullopt;
}

}  // namespace

/// The same solver with a function that adds what it finds in `values` to f.
struct OnGpu::WithFaces {
  gpu::Context context;
  std::optional<gpu::Memory> values;
  std::optional<OnGpu> solver;

  ~WithFaces() {
    gpu::Current const current(context);
    solver.reset();
    gpu::driver()->synchronise();  // what was launched may still read them
    values.reset();
  }
};

OnGpu::~OnGpu() = default;

OnGpu::OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : problem_(problem),
      device_(device),
      options_(options),
      singular_(is_singular(problem)),
      gain_(gain_of(problem)) {
  demand_solvable(problem);
  if (auto const by_elimination = swept(problem))
    columns_ = std::make_unique<ColumnsOnGpu>(*by_elimination, device, options);
  else if (auto const middle = better_split(problem, device))
    split_ = std::make_unique<SplitOnGpu>(problem, *middle, device, options);
  else
    joint_.emplace(solver_of(problem, device, options));
}

PoissonResult OnGpu::solve(void const* f, void* phi) const {
  PoissonResult result;
  if (columns_)
    result.defect = columns_->solve(f, phi);
  else if (split_)
    result.defect = split_->solve(f, phi);
  else if (singular_)
    result.defect = joint_->execute_for_constant(f, phi).real() / gain_;
  else
    joint_->execute(f, phi);
  return result;
}

OnGpu::WithFaces& OnGpu::with_faces() const {
  if (with_faces_) return *with_faces_;
  auto made = std::make_unique<WithFaces>();
  made->context = gpu::context_for(device_);
  gpu::Current const current(made->context);
  std::vector<Faces<double>> const none(problem_.axes.size());
  made->values.emplace(face_numbers(problem_, none).size() * sizeof(double));
  gpu::Options options = options_;
  options.load = add_faces_text(problem_);
  options.data = reinterpret_cast<void*>(made->values->at());
  made->solver.emplace(problem_, device_, options);
  with_faces_ = std::move(made);
  return *with_faces_;
}

/// In stream order the numbers come after the solves before and ahead of this one.
template <class T>
PoissonResult OnGpu::solve(T const* f, T* phi, std::vector<Faces<T>> const& faces) const {
  if (!any_values(problem_, faces)) return solve(f, phi);
  std::vector<T> const numbers = face_numbers(problem_, faces);
  std::lock_guard const lock(mutex_);
  WithFaces& with = with_faces();
  {
    gpu::Current const current(with.context);
    gpu::demand(gpu::driver()->to_device_async(with.values->at(), numbers.data(), numbers.size() * sizeof(T),
                                               nullptr),
                "copying boundary values to the device");
  }
  return with.solver->solve(f, phi);
}

template PoissonResult OnGpu::solve(float const*, float*, std::vector<Faces<float>> const&) const;
template PoissonResult OnGpu::solve(double const*, double*, std::vector<Faces<double>> const&) const;

std::string OnGpu::describe() const {
  return columns_ ? columns_->describe() : split_ ? split_->describe() : joint_->describe();
}

}  // namespace skipper::poisson
