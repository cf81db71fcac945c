// See streamed.h.
#include "poisson/streamed.h"

#include <algorithm>
#include <complex>
#include <optional>

#include "poisson/passes.h"
#include "poisson/symbols.h"
#include "stream/slices.h"

namespace skipper::poisson {
namespace {

constexpr Index constant_bytes = 256;  // of the device, for the constant mode

Index aligned(Index bytes) { return (bytes + 255) / 256 * 256; }

/// A device whose transform of a slice is the middle of a solve: there, divide, back. It is handed the slices in their order.
class Turning : public stream::Device {
 public:
  Turning(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner, stream::Device& device)
      : problem_(problem), outer_(outer), inner_(inner), device_(device) {}

  /// For run(): the pass that is run, the symbols, and memory of the device for the constant mode.
  void divide_by(stream::Pass const& pass, stream::Prepared const& division, std::vector<Index> const& tables,
                 void* constant) {
    pass_ = &pass;
    division_ = &division;
    tables_ = &tables;
    constant_ = constant;
  }

  std::unique_ptr<stream::Prepared> prepare(Problem const& slice) override {
    auto ready = std::make_unique<Ready>();
    ready->turn = turn_of(problem_, outer_, inner_, slice);
    ready->there = device_.prepare(ready->turn.there);
    ready->back = device_.prepare(ready->turn.back);
    if (ready->turn.apart) ready->between_bytes = aligned(out_bytes(ready->turn.there));
    return ready;
  }
  void run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) override {
    auto const& ready = static_cast<Ready const&>(prepared);
    std::vector<Index> const first = stream::slice_box(pass_->whole, pass_->slicing.extents, slice_++).first;
    void* const between = ready.turn.apart ? workspace : out;
    void* const rest = static_cast<std::byte*>(workspace) + ready.between_bytes;
    std::vector<stream::DivisionDim> dims;
    for (Turn::Dim const& d : ready.turn.dims)
      dims.push_back({d.size, (*tables_)[d.axis] + (d.batch < 0 ? 0 : first[std::size_t(d.batch)])});
    device_.run(*ready.there, in, between, rest);
    device_.divide(*division_, dims, between, constant_);
    device_.run(*ready.back, between, out, rest);
  }

  bool shares_memory() const override { return device_.shares_memory(); }
  void* allocate(Index bytes) override { return device_.allocate(bytes); }
  void release(void* memory) override { device_.release(memory); }
  void* allocate_host(Index bytes) override { return device_.allocate_host(bytes); }
  void release_host(void* memory) override { device_.release_host(memory); }
  std::unique_ptr<stream::Prepared> prepare(stream::Division const& by) override {
    return device_.prepare(by);
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
  stream::MarkRef mark(stream::Lane lane) override { return device_.mark(lane); }
  void await(stream::Lane lane, stream::Mark const& mark) override { device_.await(lane, mark); }

 private:
  struct Ready : stream::Prepared {
    Turn turn;
    std::unique_ptr<stream::Prepared> there, back;
    Index between_bytes = 0;
    Index workspace_bytes() const override {
      return between_bytes + std::max(there->workspace_bytes(), back->workspace_bytes());
    }
  };
  PoissonProblem const& problem_;
  AxisList outer_, inner_;
  stream::Device& device_;
  stream::Pass const* pass_ = nullptr;
  stream::Prepared const* division_ = nullptr;
  std::vector<Index> const* tables_ = nullptr;
  void* constant_ = nullptr;
  Index slice_ = 0;
};

void demand_streamable(PoissonProblem const& p) {
  if (p.precision == Precision::f16) throw Error("precision", "is f16; Poisson solves in f32 or f64");
  if (p.axes.size() < 2)
    throw Error("axes", "has one axis alone, of which no slices can be cut; solve it without a memory limit");
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (is_tridiagonal(p.axes[i]))
      throw Error(
          "axes[" + std::to_string(i) + "]",
          "is tridiagonal, which does not go through slices; solve it without a memory limit, or on a "
          "uniform grid by transforms");
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
  check_resonance(eigenvalues(p.axes.back(), p.symbols), across);
}

/// A list of passes with the axes that its first and last one have.
struct Way {
  AxisList outer, inner;
  bool host = false;  // does the outer axes
};

/// In 3-D a device that does all takes planes first where they fit, else lines.
std::vector<Way> ways(std::size_t rank, StreamStrategy strategy) {
  std::vector<Way> all;
  AxisList const nearest = {rank - 1}, rest = rank == 3 ? AxisList{0, 1} : AxisList{0};
  if (strategy != StreamStrategy::device_only) all.push_back({nearest, rest, true});
  if (strategy != StreamStrategy::host_and_device) {
    if (rank == 3) all.push_back({{1, 2}, {0}, false});
    all.push_back({nearest, rest, false});
  }
  return all;
}

}  // namespace

Streamed::Streamed(PoissonProblem const& problem, stream::Device& device, Index device_bytes,
                   StreamStrategy strategy, bool pinned)
    : problem_(problem), device_(device) {
  demand_streamable(problem);
  demand_no_resonance(problem);
  Index const room = std::max<Index>(0, device_bytes - constant_bytes);
  stream::Limits const limits{room, device.shares_memory(), pinned};
  auto const plain = [&](Problem const& p) { return device.prepare(p)->workspace_bytes(); };
  std::optional<stream::Schedule> best;
  std::optional<Index> least;
  for (Way const& way : ways(problem.axes.size(), strategy)) {
    auto [there, middle, back] = solve_passes(problem_, way.outer, way.inner);
    there.on_device = back.on_device = !way.host;
    auto const turning = [&](Problem const& p) {
      return Turning(problem_, way.outer, way.inner, device).prepare(p)->workspace_bytes();
    };
    bool fits = true;
    Index needs = 0;
    for (auto* pass : {&there, &middle, &back}) {
      if (!pass->on_device) continue;
      stream::WorkspaceOf const workspace = pass == &middle ? stream::WorkspaceOf(turning) : plain;
      needs = std::max(needs, constant_bytes + stream::least_bytes(pass->whole, workspace));
      auto const cut = stream::slicing_of(pass->whole, limits, workspace);
      if (cut) pass->slicing = *cut;
      fits = fits && cut;
    }
    if (!least || needs < *least) least = needs;
    if (!fits) continue;
    stream::Schedule s = stream::schedule_of(there.whole, {there, middle, back}, {}, limits);
    if (best && best->seconds <= s.seconds) continue;
    best = std::move(s);
    outer_ = way.outer;
    inner_ = way.inner;
  }
  if (!best)
    throw Error("memory_limit", "is " + std::to_string(device_bytes) + " bytes but even one slice needs " +
                                    std::to_string(*least) +
                                    "; give at least that, or solve without a limit");
  schedule_ = std::move(*best);
  schedule_.device_bytes += constant_bytes;
  stream::Division by;
  by.precision = problem.precision;
  by.complex = turn_of(problem_, outer_, inner_, schedule_.passes[1].whole).complex;
  for (PoissonAxis const& axis : problem.axes) gain_ *= transforms(axis).gain;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    tables_.push_back(Index(by.symbols.size()));
    for (double const v : eigenvalues(problem.axes[a], problem.symbols))
      by.symbols.push_back(gain_ * (v + (a == 0 ? problem.shift : 0)));
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
  Turning turning(problem_, outer_, inner_, device_);
  turning.divide_by(schedule_.passes[1], *division_, tables_, constant.get());
  go(schedule_.passes[0], device_);
  go(schedule_.passes[1], turning);
  go(schedule_.passes[2], device_);
  if (!is_singular(problem_)) return 0;
  auto const unpinned = [this](void* memory) { device_.release_host(memory); };
  std::unique_ptr<void, decltype(unpinned)> const copy(device_.allocate_host(constant_bytes), unpinned);
  void const* from = constant.get();
  if (!device_.shares_memory()) {
    device_.copy_down(copy.get(), from, {2 * sizeof(double)});
    device_.mark(stream::Lane::down)->wait();
    from = copy.get();
  }
  double const real = problem_.precision == Precision::f64 ? *static_cast<double const*>(from)
                                                           : double(*static_cast<float const*>(from));
  return real / gain_;
}

std::string Streamed::describe() const {
  return stream::text(schedule_) + "the second pass goes there, divides, and comes back\n";
}

}  // namespace skipper::poisson
