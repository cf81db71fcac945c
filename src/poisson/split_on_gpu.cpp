#include "poisson/split_on_gpu.h"

#include "gpu/memory.h"
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
  Outside all = outside(problem, SpectrumOrder::as_they_are, *SplitOnGpu::middle_of(problem));
  all.back->scale = 1;
  return all;
}

/// Along the middle axis, over the spectrum of the others.
ConvolutionEnds ends_of(PoissonProblem const& problem, Outside const& all) {
  std::size_t const middle = *SplitOnGpu::middle_of(problem);
  std::vector<Index> const strides = dense_strides(all.stored);
  ConvolutionEnds ends;
  ends.there.precision = problem.precision;
  ends.there.axes = {{all.stored[middle], strides[middle], strides[middle]}};
  for (std::size_t a = 0; a < all.stored.size(); ++a)
    if (a != middle) ends.there.batch.push_back({all.stored[a], strides[a], strides[a]});
  ends.back = ends.there;
  ends.back.direction = Direction::inverse;
  return ends;
}

/// Of the dimensions that the joint has, slowest first: the two after a slowest middle axis are one.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem, Outside const& all) {
  gpu::AxisSymbols tables;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    tables.push_back(eigenvalues(problem.axes[a], problem.symbols));
    tables.back().resize(std::size_t(all.stored[a]));
    for (double& v : tables.back()) v = gain_of(problem) * (v + (a == 0 ? problem.shift : 0));
  }
  if (*SplitOnGpu::middle_of(problem) > 0) return tables;
  std::vector<double> merged;
  for (double const slow : tables[1])
    for (double const fast : tables[2]) merged.push_back(slow + fast);
  return {tables[0], merged};
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
