// See streamed.h.
#include "poisson/streamed.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "base/device_alignment.h"
#include "cpu/engine.h"
#include "cpu/host.h"
#include "poisson/outside.h"
#include "poisson/passes.h"
#include "poisson/symbols.h"
#include "poisson/tridiagonal.h"
#include "stream/slices.h"

namespace skipper::poisson {
namespace {

constexpr Index constant_bytes = 256;  // of the device, for the constant mode

/// A device whose transform of a slice is the middle of a solve: there, divide, back. It is handed the slices in their order.
class SliceSolver : public stream::Device {
 public:
  /// sweep: an elimination with the rows of the problem's, where it has a tridiagonal axis, else null.
  SliceSolver(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner,
              stream::Device& device, stream::Prepared const* sweep)
      : problem_(problem), outer_(outer), inner_(inner), device_(device), sweep_(sweep) {}

  /// For run(): the pass that is run, the symbols or the elimination, and memory of the device for the constant mode.
  void divide_by(stream::Pass const& pass, stream::Prepared const& division, std::vector<Index> const& tables,
                 void* constant) {
    pass_ = &pass;
    division_ = &division;
    tables_ = &tables;
    constant_ = constant;
  }

  std::unique_ptr<stream::Prepared> prepare(Problem const& slice) override {
    auto ready = std::make_unique<Ready>();
    ready->solve = slice_solve(problem_, outer_, inner_, slice);
    if (ready->solve.transforms()) {
      ready->there = device_.prepare(ready->solve.there);
      ready->back = device_.prepare(ready->solve.back);
      ready->plans_bytes =
          device_aligned(std::max(ready->there->workspace_bytes(), ready->back->workspace_bytes()));
    }
    if (sweep_) ready->buffer_bytes = device_aligned(device_.buffer_bytes(*sweep_, ready->columns(problem_)));
    if (ready->solve.apart) ready->between_bytes = device_aligned(out_bytes(ready->solve.there));
    return ready;
  }
  void run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) override {
    auto const& ready = static_cast<Ready const&>(prepared);
    void* const between = ready.solve.apart ? workspace : out;
    auto* const rest = static_cast<std::byte*>(workspace) + ready.between_bytes;
    if (ready.there) device_.run(*ready.there, in, between, rest);
    if (sweep_) {
      Index const columns = ready.columns(problem_);
      device_.eliminate(*division_, column_, columns, ready.there ? between : in, between,
                        rest + ready.plans_bytes, constant_);
      column_ += columns;
    } else {
      device_.divide(*division_, dims(ready.solve), between, constant_);
    }
    if (ready.back) device_.run(*ready.back, between, out, rest);
    ++slice_;
  }

  bool shares_memory() const override { return device_.shares_memory(); }
  void* allocate(Index bytes) override { return device_.allocate(bytes); }
  void release(void* memory) override { device_.release(memory); }
  void* allocate_host(Index bytes) override { return device_.allocate_host(bytes); }
  void release_host(void* memory) override { device_.release_host(memory); }
  std::unique_ptr<stream::Prepared> prepare(stream::Division const& by) override {
    return device_.prepare(by);
  }
  std::unique_ptr<stream::Prepared> prepare(stream::Elimination const& by) override {
    return device_.prepare(by);
  }
  Index buffer_bytes(stream::Prepared const& by, Index count) const override {
    return device_.buffer_bytes(by, count);
  }
  void eliminate(stream::Prepared const& by, Index first, Index count, void const* from, void* to,
                 void* buffer, void* constant) override {
    device_.eliminate(by, first, count, from, to, buffer, constant);
  }
  bool reaches(void const* host) const override { return device_.reaches(host); }
  void copy_up(void* to, void const* from, stream::Rows const& rows) override {
    device_.copy_up(to, from, rows);
  }
  void copy_down(void* to, void const* from, stream::Rows const& rows) override {
    device_.copy_down(to, from, rows);
  }
  void divide(stream::Prepared const& by, std::vector<stream::DivisionDim> const& dims, void* data,
              void* constant) override {
    device_.divide(by, dims, data, constant);
  }
  stream::MarkRef mark(stream::StreamId id) override { return device_.mark(id); }
  void wait_for(stream::StreamId id, stream::Mark const& mark) override { device_.wait_for(id, mark); }

 private:
  struct Ready : stream::Prepared {
    SliceSolve solve;
    std::unique_ptr<stream::Prepared> there, back;
    Index between_bytes = 0, plans_bytes = 0, buffer_bytes = 0;
    Index workspace_bytes() const override { return between_bytes + plans_bytes + buffer_bytes; }
    Index columns(PoissonProblem const& problem) const {
      Index n = 1;
      for (SliceSolve::Dim const& d : solve.dims) n *= is_tridiagonal(problem.axes[d.axis]) ? 1 : d.size;
      return n;
    }
  };

  std::vector<stream::DivisionDim> dims(SliceSolve const& solve) const {
    std::vector<Index> const first = stream::slice_box(pass_->whole, pass_->slicing.extents, slice_).first;
    std::vector<stream::DivisionDim> all;
    for (SliceSolve::Dim const& d : solve.dims)
      all.push_back({d.size, (*tables_)[d.axis] + (d.batch < 0 ? 0 : first[std::size_t(d.batch)])});
    return all;
  }

  PoissonProblem const& problem_;
  AxisList outer_, inner_;
  stream::Device& device_;
  stream::Pass const* pass_ = nullptr;
  stream::Prepared const* division_ = nullptr;
  std::vector<Index> const* tables_ = nullptr;
  void* constant_ = nullptr;
  stream::Prepared const* sweep_;
  Index slice_ = 0, column_ = 0;
};

/// One axis alone has a single cell beside it.
PoissonProblem in_slices(PoissonProblem p) {
  if (is_16_bit(p.precision))
    throw Error("precision", "is " + std::string(name(p.precision)) + "; Poisson solves in f32 or f64");
  if (p.axes.size() == 1) p.axes.emplace(p.axes.begin());
  return p;
}

/// The rows of a tridiagonal axis, over a power of two that makes them about 1.
stream::Elimination elimination_of(PoissonProblem const& p, double& scale) {
  stream::Elimination by;
  by.precision = p.precision;
  by.singular = is_singular(p);
  Tridiagonal const matrix = tridiagonal(p.axes[middle_axis(p)]);
  double largest = 0;
  for (double const d : matrix.diagonal) largest = std::max(largest, std::fabs(d));
  scale = largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
  for (std::size_t i = 0; i < matrix.diagonal.size(); ++i)
    by.rows.push_back(
        {matrix.lower[i] / scale, matrix.diagonal[i] / scale, matrix.upper[i] / scale, matrix.widths[i]});
  by.across = {-1};
  return by;
}

/// What each column adds to the diagonal, slice after slice.
std::vector<double> across_slices(PoissonProblem const& p, AxisList const& outer, AxisList const& inner,
                                  stream::Pass const& pass) {
  std::vector<std::vector<double>> values;
  for (PoissonAxis const& axis : p.axes)
    values.push_back(is_tridiagonal(axis) ? std::vector<double>{} : eigenvalues(axis, p.symbols));
  std::vector<double> all;
  for (Index i = 0; i < pass.slicing.slices; ++i) {
    stream::Box const box = stream::slice_box(pass.whole, pass.slicing.extents, i);
    SliceSolve const solve = slice_solve(p, outer, inner, stream::slice_problem(pass.whole, box.count));
    std::vector<double> sums = {p.shift};
    for (SliceSolve::Dim const& d : solve.dims) {  // fastest first, so later ones are slower
      if (is_tridiagonal(p.axes[d.axis])) continue;
      Index const first = d.batch < 0 ? 0 : box.first[std::size_t(d.batch)];
      std::vector<double> next;
      next.reserve(sums.size() * std::size_t(d.size));
      for (Index k = 0; k < d.size; ++k)
        for (double const sum : sums) next.push_back(sum + values[d.axis][std::size_t(first + k)]);
      sums = std::move(next);
    }
    all.insert(all.end(), sums.begin(), sums.end());
  }
  return all;
}

/// Only a positive shift can meet an eigenvalue.
void demand_no_resonance(PoissonProblem const& p) {
  if (p.shift <= 0) return;
  std::vector<double> across = {p.shift};
  for (std::size_t a = 0; a + 1 < p.axes.size(); ++a) {
    std::vector<double> const values = eigenvalues(p.axes[a], p.symbols);
    std::vector<double> next;
    for (double const sum : across)
      for (double const v : values) next.push_back(sum + v);
    across = std::move(next);
  }
  check_resonance(eigenvalues(p.axes.back(), p.symbols), across, p.shift);
}

/// A list of passes with the axes that its first and last one have.
struct AxisSplit {
  AxisList outer, inner;
  bool host = false;  // does the outer axes
};

/// In 3-D a device that does all takes planes first where they fit, else lines. The middle axis is always an inner one.
std::vector<AxisSplit> axis_splits(PoissonProblem const& p, StreamStrategy strategy) {
  std::size_t const middle = middle_axis(p);
  AxisList others, rest;
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (a != middle) others.push_back(a);
  std::size_t const nearest = others.back();
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (a != nearest) rest.push_back(a);
  std::vector<AxisSplit> all;
  if (strategy != StreamStrategy::device_only) all.push_back({{nearest}, rest, true});
  if (strategy != StreamStrategy::host_and_device) {
    if (others.size() == 2) all.push_back({others, {middle}, false});
    all.push_back({{nearest}, rest, false});
  }
  return all;
}

}  // namespace

Streamed::Streamed(PoissonProblem const& problem, stream::Device& device, Index device_bytes,
                   StreamStrategy strategy, bool pinned, stream::Bandwidths const& bandwidths)
    : problem_(in_slices(problem)),
      device_(device),
      swept_(is_tridiagonal(problem_.axes[middle_axis(problem_)])) {
  refuse_long_axes(problem_, cpu::memory_limit(cpu::host_machine()));
  if (!swept_) demand_no_resonance(problem_);
  double scale = 1;
  stream::Elimination sweep;
  std::unique_ptr<stream::Prepared> rows;  // without columns yet
  if (swept_) {
    sweep = elimination_of(problem_, scale);
    // Complex where any other axis is periodic, or all data are.
    sweep.complex =
        problem_.complex || std::any_of(problem_.axes.begin(), problem_.axes.end(),
                                        [](auto const& axis) { return axis.low == Boundary::periodic; });
    rows = device.prepare(sweep);
  }
  for (PoissonAxis const& axis : problem_.axes)
    if (!is_tridiagonal(axis)) gain_ *= transforms(axis).gain;
  Index const free_bytes = std::max<Index>(0, device_bytes - constant_bytes);
  stream::Limits const limits{free_bytes, device.shares_memory(), pinned};
  auto const plain = [&](Problem const& p) { return device.prepare(p)->workspace_bytes(); };
  std::optional<stream::Schedule> best;
  std::optional<Index> least;
  for (AxisSplit const& split : axis_splits(problem_, strategy)) {
    auto [there, middle, back] = solve_passes(problem_, split.outer, split.inner);
    there.on_device = back.on_device = !split.host;
    if (swept_) back.whole.scale = 1 / (gain_ * scale);
    auto const slice_solver = [&](Problem const& p) {
      return SliceSolver(problem_, split.outer, split.inner, device, rows.get())
          .prepare(p)
          ->workspace_bytes();
    };
    bool fits = true;
    Index needs = 0;
    for (auto* pass : {&there, &middle, &back}) {
      if (!pass->on_device) continue;
      stream::WorkspaceOf const workspace = pass == &middle ? stream::WorkspaceOf(slice_solver) : plain;
      needs = std::max(needs, constant_bytes + stream::least_bytes(pass->whole, workspace));
      auto const cut = stream::slicing_of(pass->whole, limits, workspace);
      if (cut) pass->slicing = *cut;
      fits = fits && cut;
    }
    if (!least || needs < *least) least = needs;
    if (!fits) continue;
    stream::Schedule s = stream::schedule_of(there.whole, {there, middle, back}, bandwidths, limits);
    if (best && best->seconds <= s.seconds) continue;
    best = std::move(s);
    outer_ = split.outer;
    inner_ = split.inner;
  }
  if (!best)
    throw Error("memory_limit", "is " + std::to_string(device_bytes) + " bytes but even one slice needs " +
                                    std::to_string(*least) +
                                    "; give at least that, or solve without a limit");
  schedule_ = std::move(*best);
  schedule_.device_bytes += constant_bytes;
  if (swept_) {
    sweep.across = across_slices(problem_, outer_, inner_, schedule_.passes[1]);
    for (double& v : sweep.across) v /= scale;
    division_ = device.prepare(sweep);
    return;
  }
  stream::Division by;
  by.precision = problem_.precision;
  by.complex = slice_solve(problem_, outer_, inner_, schedule_.passes[1].whole).complex;
  for (std::size_t a = 0; a < problem_.axes.size(); ++a) {
    tables_.push_back(Index(by.symbols.size()));
    for (double const v : eigenvalues(problem_.axes[a], problem_.symbols))
      by.symbols.push_back(gain_ * (v + (a == 0 ? problem_.shift : 0)));
  }
  division_ = device.prepare(by);
}

double Streamed::solve(stream::Reserve& reserve, stream::Host& host, void const* f, void* phi, void* work,
                       std::function<bool(StreamProgress const&)> const& progress) const {
  StreamProgress state;
  for (stream::Pass const& pass : schedule_.passes) state.slices += pass.on_device ? pass.slicing.slices : 1;
  auto const go = [&](stream::Pass pass, stream::Device& device) {
    if (pass.from == stream::Array::in && pass.to == stream::Array::out && f == phi)
      pass.whole.placement = Placement::in_place;
    std::int64_t const before = state.slices_done;
    auto const told = [&](StreamProgress const& own) {
      state.slices_done = before + own.slices_done;
      return !progress || progress(state);
    };
    stream::Schedule one;
    one.problem = schedule_.problem;
    one.passes = {pass};
    stream::execute(one, device, reserve, host, f, phi, work, told);
  };
  auto const held = [this](void* memory) { device_.release(memory); };
  std::unique_ptr<void, decltype(held)> const constant(device_.allocate(constant_bytes), held);
  SliceSolver slice_solver(problem_, outer_, inner_, device_, swept_ ? division_.get() : nullptr);
  slice_solver.divide_by(schedule_.passes[1], *division_, tables_, constant.get());
  go(schedule_.passes[0], device_);
  go(schedule_.passes[1], slice_solver);
  go(schedule_.passes[2], device_);
  if (!is_singular(problem_)) return 0;
  auto const unpinned = [this](void* memory) { device_.release_host(memory); };
  std::unique_ptr<void, decltype(unpinned)> const copy(device_.allocate_host(constant_bytes), unpinned);
  void const* from = constant.get();
  if (!device_.shares_memory()) {
    device_.copy_down(copy.get(), from, {2 * sizeof(double)});
    device_.mark(stream::StreamId::down)->wait();
    from = copy.get();
  }
  double const real = swept_ || problem_.precision == Precision::f64
                          ? *static_cast<double const*>(from)
                          : double(*static_cast<float const*>(from));
  return real / gain_;
}

std::string Streamed::describe() const {
  return stream::text(schedule_) + (swept_ ? "the second pass goes there, eliminates, and comes back\n"
                                           : "the second pass goes there, divides, and comes back\n");
}

}  // namespace skipper::poisson
