// See split_on_gpu.h.
#include "poisson/split_on_gpu.h"

#include <algorithm>

#include "gpu/memory.h"
#include "plan/fused_inverse.h"
#include "poisson/fused_axis.h"
#include "poisson/outer_on_gpu.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

/// The gain of all transforms together: what forward and inverse multiply by. Those of the middle axis are complex ones
/// of its length.
double split_gain(PoissonProblem const& problem, std::size_t middle) {
  double gain = double(problem.axes[middle].size);
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    if (a != middle) gain *= transforms(problem.axes[a]).gain;
  return gain;
}

/// The outer transforms without a scale: the symbols that the spectrum is divided by include all gains.
Outside unscaled(PoissonProblem const& problem, std::size_t middle) {
  Outside all = outside(problem, SpectrumOrder::middle_first, middle);
  all.back->scale = 1;
  return all;
}

/// The transforms along the middle axis [rows][columns]. The spectra of all other axes are one batch dimension.
ConvolutionSides convolution_sides(PoissonProblem const& problem, Outside const& all) {
  std::size_t const middle = all.order.front();
  Index const rows = all.stored[middle], columns = spectrum_strides(all)[middle];
  ConvolutionSides sides;
  sides.there.precision = problem.precision;
  sides.there.axes = {{rows, columns, columns}};
  sides.there.batch = {{columns, 1, 1}};
  sides.back = sides.there;
  sides.back.direction = Direction::inverse;
  return sides;
}

/// The symbols: of the middle axis, and of the columns, which are sums over all other axes and the shift. One column is no
/// dimension of the program: what it adds is counted with the axis.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem, Outside const& all) {
  gpu::AxisSymbols tables = {eigenvalues(problem.axes[all.order.front()], problem.symbols), {problem.shift}};
  for (std::size_t i = 1; i < all.order.size(); ++i) {
    auto const own = eigenvalues(problem.axes[all.order[i]], problem.symbols);
    std::vector<double> sums;
    for (double const before : tables[1])
      for (Index k = 0; k < all.stored[all.order[i]]; ++k) sums.push_back(before + own[std::size_t(k)]);
    tables[1] = std::move(sums);
  }
  if (tables[1].size() == 1) {
    for (double& v : tables[0]) v += tables[1][0];
    tables.pop_back();
  }
  for (auto& table : tables)
    for (double& v : table) v *= split_gain(problem, all.order.front());
  return tables;
}

/// A safety factor on the predicted time of outer cosine or sine axes, for which the model is untested.
constexpr double with_real_axes = 1.1;

double cost_of(PoissonProblem const& problem, std::size_t middle, Machine const& machine) {
  Outside const all = unscaled(problem, middle);
  double total =
      fused_inverses(convolution_sides(problem, all), *fused_inverse_factors(problem.axes[middle]), machine)
          .front()
          .cost;
  bool has_real_axes = false;
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    has_real_axes = has_real_axes || (a != middle && problem.axes[a].low != Boundary::periodic);
  for (Problem const& outer : {*all.forward, *all.back})
    total += (has_real_axes ? with_real_axes : 1) * outer_program(outer, machine).cost;
  return total;
}

}  // namespace

std::optional<SplitOnGpu::Choice> SplitOnGpu::choice(PoissonProblem const& problem, Machine const& machine) {
  std::optional<Choice> best;
  for (std::size_t middle = 0; middle < problem.axes.size(); ++middle) {
    bool real = true;  // the spectrum of the others
    for (std::size_t a = 0; a < problem.axes.size(); ++a)
      if (a != middle && problem.axes[a].low == Boundary::periodic) real = false;
    if (real || !fused_inverse_factors(problem.axes[middle])) continue;
    try {
      double const cost = cost_of(problem, middle, machine);
      if (!best || cost < best->cost) best = {middle, cost};
    } catch (Error const&) {  // a prime that only whole programs transform
    }
  }
  return best;
}

SplitOnGpu::SplitOnGpu(PoissonProblem const& problem, std::size_t middle, int device,
                       gpu::Options const& options)
    : all_(unscaled(problem, middle)),
      singular_(is_singular(problem)),
      gain_(split_gain(problem, middle)),
      factors_(*fused_inverse_factors(problem.axes[middle])),
      forward_(outer_transform(*all_.forward, device, options)),
      middle_(convolution_sides(problem, all_), factors_, symbols_of(problem, all_), device,
              without_functions(options)),
      back_(outer_transform(*all_.back, device, without_functions(options))),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)),
      side_streams_(context_) {}

std::size_t SplitOnGpu::workspace_bytes() const {
  return gpu::Borrowed::part(std::size_t(out_bytes(*all_.forward))) + gpu::Borrowed::part(outer_bytes()) +
         middle_.workspace_bytes();
}

std::size_t SplitOnGpu::outer_bytes() const {
  return std::max(forward_.workspace_bytes(), back_.workspace_bytes());
}

double SplitOnGpu::solve(void const* f, void* phi, void* workspace, gpu::Stream stream) const {
  gpu::Current const current(context_);
  gpu::Borrowed borrowed(*pool_, stream, workspace);
  void* const spectrum =
      reinterpret_cast<void*>(borrowed.take(std::size_t(out_bytes(*all_.forward)), "the spectrum"));
  void* const outer =
      workspace ? reinterpret_cast<void*>(borrowed.take(outer_bytes(), "the workspace")) : nullptr;
  forward_.execute(f, spectrum, outer, stream);
  void* const inner = reinterpret_cast<void*>(
      borrowed.take(middle_.workspace_bytes(), "the workspace"));  // it also has the mean
  middle_.execute(spectrum, spectrum, inner, stream);
  if (!singular_) {
    back_.execute(spectrum, phi, outer, stream);
    return 0;
  }
  auto const side = side_streams_.after(stream);  // the mean is read while the inverse transform still runs
  back_.execute(spectrum, phi, outer, stream);
  return middle_.constant_mode(inner, side.stream()).real() / gain_;
}

std::string SplitOnGpu::describe() const {
  char const* const along = factors_ == Factors::cosines ? "in cosines along the middle axis:\n"
                            : factors_ == Factors::sines ? "in sines along the middle axis:\n"
                                                         : "";
  return forward_.describe() + along + middle_.describe() + back_.describe();
}

}  // namespace skipper::poisson
