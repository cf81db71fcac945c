// See on_gpu.h.
#include "poisson/on_gpu.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "cpu/engine.h"
#include "cpu/host.h"
#include "plan/fused_inverse.h"
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

/// Elimination has one pair of threads a column: with fewer columns than this most of a GPU is idle.
constexpr Index least_columns = Index(1) << 14;

/// The problem as elimination solves it; nothing where elimination is not taken. An axis that is not periodic can be
/// made tridiagonal where symbols are of second order, since that is the same equation. A problem of one tridiagonal
/// axis gets a second axis of size 1: one column.
std::optional<PoissonProblem> swept(PoissonProblem p) {
  if (is_tridiagonal(p.axes[middle_axis(p)])) {
    if (p.axes.size() == 1) p.axes.emplace_back();
    return p;
  }
  if (p.axes.size() == 1 || p.shift > 0 || p.symbols != Symbols::second_order) return std::nullopt;
  for (PoissonAxis& axis : p.axes) {
    if (axis.low == Boundary::periodic) continue;
    axis.tridiagonal = true;
    Index columns = 1;
    for (PoissonAxis const& other : p.axes) columns *= &other == &axis ? 1 : other.size;
    return columns >= least_columns ? std::optional(p) : std::nullopt;
  }
  return std::nullopt;
}

/// Whether the transforms of all axes can meet in one sweep.
bool has_fused_inverse(PoissonProblem const& p) {
  return periodic_axes(p) == p.axes.size() || periodic_axes(p) >= 2;
}

/// As the CPU does before it solves.
void demand_solvable(PoissonProblem const& p) {
  if (is_16_bit(p.precision))
    throw Error("precision", "is " + std::string(name(p.precision)) + "; Poisson solves in f32 or f64");
  refuse_long_axes(p, cpu::memory_limit(cpu::host_machine()));
  if (p.shift <= 0 || is_tridiagonal(p.axes[middle_axis(p)])) return;
  Outside const all = outside(p);
  check_resonance(eigenvalues(p.axes[middle_axis(p)], p.symbols), across_of(p, all), p.shift);
}

ConvolutionSides convolution_sides(PoissonProblem const& problem) {
  ConvolutionSides sides;
  sides.there.kind = Kind::r2c;
  sides.back.kind = Kind::c2r;
  sides.back.direction = Direction::inverse;
  sides.there.precision = sides.back.precision = problem.precision;
  for (PoissonAxis const& axis : problem.axes) {
    Transforms const kinds = transforms(axis);
    sides.there.axes.push_back({axis.size, 0, 0, kinds.forward});
    sides.back.axes.push_back({axis.size, 0, 0, kinds.back});
  }
  return {dense_layout(sides.there), dense_layout(sides.back)};
}

/// The eigenvalues of each axis times the gain of the transforms; those of the first include the shift. All have one
/// sign, so nothing cancels in their sum and f32 does for it.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem) {
  gpu::AxisSymbols all;
  for (PoissonAxis const& axis : problem.axes) {
    all.push_back(eigenvalues(axis, problem.symbols));
    for (double& v : all.back()) v = gain_of(problem) * (v + (all.size() == 1 ? problem.shift : 0));
  }
  return all;
}

/// 1 / (gain * symbol) for every stored mode: for a positive shift, where terms of the sum cancel.
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
  std::vector<std::complex<double>> all;
  all.reserve(symbols.size());
  for (double const s : symbols) all.push_back(1 / (gain * s));
  return all;
}

gpu::Transform solver_of(PoissonProblem const& problem, int device, gpu::Options const& options) {
  ConvolutionSides const sides = convolution_sides(problem);
  if (problem.shift <= 0) return gpu::Transform(sides, Factors::symbol, symbols_of(problem), device, options);
  return gpu::Transform(
      sides, Factors::shared, [&](bool whole) { return inverse_symbols(problem, sides.there, whole); },
      device, options);
}

/// Measured over predicted time of a fused forward-pointwise-inverse program of three axes: the model underrates the
/// cost of its short segments. Fitted to an H200 (docs/decisions/0014).
constexpr double beyond_model = 1.15;

/// The middle axis for three plans, where these are predicted to take less time than one fused program of all axes.
/// Nothing for a small problem, which has no L2 blocks.
std::optional<std::size_t> better_split(PoissonProblem const& problem, int device) {
  if (problem.shift > 0) return std::nullopt;  // summed in f32 it would cancel
  Machine const machine = gpu::device_machine(device);
  ConvolutionSides const sides = convolution_sides(problem);
  FusedInverse const fused_inverse = fused_inverses(sides, Factors::symbol, machine).front();
  if (in_bytes(sides.there) < 2 * machine.l2_bytes && fused_inverse.forward.sweeps.size() <= 2)
    return std::nullopt;
  auto const split = SplitOnGpu::choice(problem, machine);
  return split && split->cost < beyond_model * fused_inverse.cost ? std::optional(split->middle)
                                                                  : std::nullopt;
}

}  // namespace

/// The same solver with a load callback that adds `values`, the boundary values' contribution, to f.
struct OnGpu::WithFaces {
  gpu::Context context;
  std::optional<gpu::Memory> values;
  std::optional<OnGpu> solver;
  gpu::Event used = nullptr;  // when the last solve has read the values

  ~WithFaces() {
    gpu::Current const current(context);
    solver.reset();
    gpu::driver()->synchronise();  // what was launched may still read them
    if (used) gpu::driver()->destroy_event(used);
    values.reset();
  }

  /// One solve's use of the values, in the order of solves on all streams.
  class Use {
   public:
    Use(WithFaces& with, gpu::Stream stream) : with_(with), stream_(stream) {
      gpu::Current const current(with_.context);
      gpu::Driver const& d = *gpu::driver();
      if (!with_.used)
        gpu::demand(d.create_event(&with_.used, gpu::without_timing), "making an event");
      else
        gpu::demand(d.wait_for_event(stream_, with_.used, 0), "ordering two streams");
    }
    ~Use() {
      gpu::Current const current(with_.context);
      gpu::driver()->record_event(with_.used, stream_);
    }
    void copy(void const* numbers, std::size_t bytes) const {
      gpu::Current const current(with_.context);
      gpu::demand(gpu::driver()->to_device_async(with_.values->at(), numbers, bytes, stream_),
                  "copying boundary values to the device");
    }

   private:
    WithFaces& with_;
    gpu::Stream stream_;
  };
};

OnGpu::~OnGpu() = default;

OnGpu::OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : problem_(problem),
      device_(device),
      options_(options),
      singular_(is_singular(problem)),
      gain_(gain_of(problem)),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)) {
  demand_solvable(problem);
  choose_way();
  if (!singular_ || problem.zero_mode == ZeroMode::zero_mean) return;
  gpu::Current const current(context_);
  levels_ = std::make_unique<gpu::Levels>(problem.precision == Precision::f64, device);
}

/// A problem with a tridiagonal axis is solved by elimination. For others these are tried in turn: one fused program of
/// all axes, or three plans where they are faster; elimination along an axis that is not periodic; transforms of all
/// axes forward and back in plain steps.
void OnGpu::choose_way() {
  if (is_tridiagonal(problem_.axes[middle_axis(problem_)])) {
    columns_ = std::make_unique<ColumnsOnGpu>(*swept(problem_), device_, options_);
    return;
  }
  Machine const machine = gpu::device_machine(device_);
  if (has_fused_inverse(problem_)) try {
      if (auto const middle = better_split(problem_, device_))
        split_ = std::make_unique<SplitOnGpu>(problem_, *middle, device_, options_);
      else
        fused_inverse_.emplace(solver_of(problem_, device_, options_));
      return;
    } catch (Error const& e) {  // a length that no fused program has
      if (e.argument() != "shape") throw;
    }
  auto const split = problem_.shift > 0 ? std::nullopt : SplitOnGpu::choice(problem_, machine);
  if (split)
    split_ = std::make_unique<SplitOnGpu>(problem_, split->middle, device_, options_);
  else if (auto const by_elimination = swept(problem_))
    columns_ = std::make_unique<ColumnsOnGpu>(*by_elimination, device_, options_);
  else
    steps_ = std::make_unique<StepsOnGpu>(problem_, device_, options_);
}

/// Of the way that the problem is solved.
std::size_t OnGpu::way_bytes() const {
  if (columns_) return columns_->workspace_bytes();
  if (split_) return split_->workspace_bytes();
  return steps_ ? steps_->workspace_bytes() : fused_inverse_->workspace_bytes();
}

/// Of the temporary array of solved_apart.
std::size_t OnGpu::apart_bytes() const {
  std::size_t bytes = problem_.precision == Precision::f64 ? sizeof(double) : sizeof(float);
  for (PoissonAxis const& axis : problem_.axes) bytes *= std::size_t(axis.size);
  return bytes;
}

std::size_t OnGpu::workspace_bytes() const {
  return levels_ ? gpu::Borrowed::part(apart_bytes()) + way_bytes() : way_bytes();
}

double OnGpu::solved(void const* f, void* phi, ExecuteSettings const& settings) const {
  void* const workspace = settings.workspace;
  auto const stream = static_cast<gpu::Stream>(settings.stream);
  if (columns_) return columns_->solve(f, phi, workspace, stream);
  if (split_) return split_->solve(f, phi, workspace, stream);
  if (steps_) return steps_->solve(f, phi, workspace, stream);
  if (singular_) return fused_inverse_->execute_for_constant_mode(f, phi, workspace, stream).real() / gain_;
  fused_inverse_->execute(f, phi, workspace, stream);
  return 0;
}

/// Solves into a temporary array. phi gets the solution only where there is one, lowered to phi[0] = 0 where that is
/// pinned.
template <class T>
double OnGpu::solved_apart(T const* f, T* phi, double largest, ExecuteSettings const& settings) const {
  bool const pinned = problem_.zero_mode == ZeroMode::pin;
  Index const count = Index(apart_bytes() / sizeof(T));
  auto const stream = static_cast<gpu::Stream>(settings.stream);
  gpu::Current const current(context_);
  auto const demand_defect = [&](double defect) {
    if (pinned) return;
    if (gpu::on_device(gpu::address(f), device_, "f"))
      largest = std::max(largest, levels_->largest(gpu::address(f), count, *pool_, stream));
    else
      for (Index i = 0; i < count; ++i) largest = std::max(largest, std::abs(double(f[i])));
    poisson::demand_solvable(defect, largest, double(std::numeric_limits<T>::epsilon()));
  };
  if (gpu::on_device(gpu::address(phi), device_, "phi")) {
    gpu::Borrowed borrowed(*pool_, stream, settings.workspace);
    gpu::DevicePointer const apart = borrowed.take(apart_bytes(), "the solution");
    ExecuteSettings rest = settings;
    if (settings.workspace) rest.workspace = reinterpret_cast<void*>(borrowed.take(0, "the workspace"));
    double const defect = solved(f, reinterpret_cast<T*>(apart), rest);
    demand_defect(defect);
    levels_->lower(gpu::address(phi), apart, count, pinned, stream);
    return defect;
  }
  std::vector<T> apart(static_cast<std::size_t>(count));
  double const defect = solved(f, apart.data(), settings);
  demand_defect(defect);
  T const level = pinned ? apart[0] : T(0);
  for (Index i = 0; i < count; ++i) phi[i] = apart[std::size_t(i)] - level;
  return defect;
}

template <class T>
PoissonResult OnGpu::solve(T const* f, T* phi, double largest, ExecuteSettings const& settings) const {
  return {levels_ ? solved_apart(f, phi, largest, settings) : solved(f, phi, settings)};
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

/// Nothing may wait, and nothing come from the host, while a stream is captured.
static void demand_stream(gpu::Stream stream, bool singular, bool values) {
  if (!stream || !(singular || values) || !gpu::capturing(stream)) return;
  throw Error("stream",
              singular
                  ? "is being captured, but the solve waits for its defect; capture problems whose mean is "
                    "determined, or solve outside the graph"
                  : "is being captured, but values on boundaries come from host memory; solve outside the "
                    "graph, or add them to f yourself");
}

/// Boundary values are copied after all earlier solves with such, on whatever stream, and before this one.
template <class T>
PoissonResult OnGpu::solve(T const* f, T* phi, std::vector<Faces<T>> const& faces,
                           ExecuteSettings const& settings) const {
  auto const stream = static_cast<gpu::Stream>(settings.stream);
  bool const values = any_values(problem_, faces);
  {
    gpu::Current const current(context_);
    gpu::demand_workspace(settings.workspace, device_);
    demand_stream(stream, singular_, values);
  }
  if (!values) return solve(f, phi, 0.0, settings);
  std::vector<T> const numbers = face_numbers(problem_, faces);
  std::lock_guard const lock(mutex_);
  WithFaces& with = with_faces();
  double largest = 0;
  for (T const n : numbers) largest = std::max(largest, std::abs(double(n)));
  ExecuteSettings mine = settings;
  if (with.solver->workspace_bytes() > workspace_bytes()) mine.workspace = nullptr;
  WithFaces::Use const use(with, stream);
  use.copy(numbers.data(), numbers.size() * sizeof(T));
  return with.solver->solve(f, phi, largest, mine);
}

template PoissonResult OnGpu::solve(float const*, float*, std::vector<Faces<float>> const&,
                                    ExecuteSettings const&) const;
template PoissonResult OnGpu::solve(double const*, double*, std::vector<Faces<double>> const&,
                                    ExecuteSettings const&) const;

std::string OnGpu::describe() const {
  if (columns_) return columns_->describe();
  if (split_) return split_->describe();
  return steps_ ? steps_->describe() : fused_inverse_->describe();
}

}  // namespace skipper::poisson
