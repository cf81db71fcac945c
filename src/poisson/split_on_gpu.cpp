#include "poisson/split_on_gpu.h"

#include "gpu/memory.h"
#include "plan/joint.h"
#include "plan/planner.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

double gain_of(PoissonProblem const& problem) {
  double gain = 1;
  for (PoissonAxis const& axis : problem.axes) gain *= transforms(axis).gain;
  return gain;
}

/// The division has the gain of all transforms.
Outside unscaled(PoissonProblem const& problem) {
  Outside all = outside(problem, SpectrumOrder::middle_first, *SplitOnGpu::middle_of(problem));
  all.back->scale = 1;
  return all;
}

/// Along the middle axis, over the spectrum of the others, which are one dimension.
ConvolutionEnds ends_of(PoissonProblem const& problem, Outside const& all) {
  std::size_t const middle = all.order.front();
  Index const rows = all.stored[middle], columns = spectrum_strides(all)[middle];
  ConvolutionEnds ends;
  ends.there.precision = problem.precision;
  ends.there.axes = {{rows, columns, columns}};
  ends.there.batch = {{columns, 1, 1}};
  ends.back = ends.there;
  ends.back.direction = Direction::inverse;
  return ends;
}

/// Along the middle axis, and of the columns.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem, Outside const& all) {
  gpu::AxisSymbols tables = {eigenvalues(problem.axes[all.order.front()], problem.symbols), {problem.shift}};
  for (std::size_t i = 1; i < all.order.size(); ++i) {
    auto const own = eigenvalues(problem.axes[all.order[i]], problem.symbols);
    std::vector<double> sums;
    for (double const before : tables[1])
      for (Index k = 0; k < all.stored[all.order[i]]; ++k) sums.push_back(before + own[std::size_t(k)]);
    tables[1] = std::move(sums);
  }
  for (auto& table : tables)
    for (double& v : table) v *= gain_of(problem);
  return tables;
}

gpu::Options plain(gpu::Options options) {
  options.load.clear();
  return options;
}

}  // namespace

std::optional<std::size_t> SplitOnGpu::middle_of(PoissonProblem const& problem) {
  std::optional<std::size_t> slowest;
  int periodic = 0;
  for (std::size_t a = problem.axes.size(); a-- > 0;) {
    if (problem.axes[a].size == 1) return std::nullopt;
    if (problem.axes[a].low == Boundary::periodic) slowest = a, ++periodic;
  }
  return problem.axes.size() == 3 && periodic >= 2 ? slowest : std::nullopt;
}

double SplitOnGpu::cost(PoissonProblem const& problem, Machine const& machine) {
  Outside const all = unscaled(problem);
  double total = joints(ends_of(problem, all), Factors::symbol, machine).front().cost;
  PlanOptions const one{.clusters = true, .chunks = true, .most = 1};
  for (Problem const& outer : {*all.forward, *all.back}) total += planner(outer, machine, one).front().cost;
  return total;
}

SplitOnGpu::SplitOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : all_(unscaled(problem)),
      singular_(is_singular(problem)),
      forward_(*all_.forward, device, options),
      middle_(ends_of(problem, all_), symbols_of(problem, all_), device, plain(options)),
      back_(*all_.back, device, plain(options)),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)) {}

std::complex<double> SplitOnGpu::solve(void const* f, void* phi) const {
  gpu::Current const current(context_);
  gpu::Borrowed borrowed(*pool_, nullptr);
  void* const spectrum =
      reinterpret_cast<void*>(borrowed.take(std::size_t(out_bytes(*all_.forward)), "the spectrum"));
  forward_.execute(f, spectrum);
  void* const workspace = reinterpret_cast<void*>(
      borrowed.take(middle_.workspace_bytes(), "the workspace"));  // of the constant, too
  middle_.execute(spectrum, spectrum, workspace);
  back_.execute(spectrum, phi);
  return singular_ ? middle_.constant(workspace) : 0;
}

}  // namespace skipper::poisson
