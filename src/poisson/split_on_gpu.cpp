#include "poisson/split_on_gpu.h"

#include <algorithm>

#include "gpu/memory.h"
#include "plan/joint.h"
#include "poisson/outer_on_gpu.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

/// What a joint along the axis divides by; nothing where there is no such joint.
std::optional<Factors> factors_of(PoissonAxis const& axis) {
  if (axis.size == 1 || is_tridiagonal(axis)) return std::nullopt;
  if (axis.low == Boundary::periodic) return Factors::symbol;
  if (axis.low != axis.high || axis.centring != Centring::cell) return std::nullopt;
  return axis.low == Boundary::neumann ? Factors::cosines : Factors::sines;
}

/// Of all transforms; along the middle axis they are complex ones of its length.
double gain_of(PoissonProblem const& problem, std::size_t middle) {
  double gain = double(problem.axes[middle].size);
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    if (a != middle) gain *= transforms(problem.axes[a]).gain;
  return gain;
}

/// Where a whole axis is left beside the middle and the halved one, rows of a column can be some KB apart, not MB, so that a
/// block can ask for them ahead, which joints of doubles want: theirs took 1.37 x copy in 512^3 where a transform without a
/// way back takes 1.10 (H200, 2026-11-16). In single precision solves by elimination lost by it, 6.46 and
/// 6.42.
SpectrumOrder order_of(PoissonProblem const& problem, std::size_t middle) {
  bool const thick = std::all_of(problem.axes.begin(), problem.axes.end(),
                                 [](PoissonAxis const& axis) { return axis.size > 1; });
  bool const near = problem.precision == Precision::f64 && problem.axes.size() > 2 && middle == 0 && thick;
  return near ? SpectrumOrder::halved_first : SpectrumOrder::middle_first;
}

/// The division has the gain of all transforms.
Outside unscaled(PoissonProblem const& problem, std::size_t middle) {
  Outside all = outside(problem, order_of(problem, middle), middle);
  all.back->scale = 1;
  return all;
}

/// Where the middle axis stands in the spectrum.
std::size_t place_of_middle(Outside const& all, std::size_t middle) {
  return std::size_t(std::find(all.order.begin(), all.order.end(), middle) - all.order.begin());
}

/// Along the middle axis, over the spectrum of the others: those before it, and those after it, are one dimension.
ConvolutionEnds ends_of(PoissonProblem const& problem, Outside const& all, std::size_t middle) {
  Index const rows = all.stored[middle], columns = spectrum_strides(all)[middle];
  ConvolutionEnds ends;
  ends.there.precision = problem.precision;
  ends.there.axes = {{rows, columns, columns}};
  Index before = 1;
  for (std::size_t i = 0; i < place_of_middle(all, middle); ++i) before *= all.stored[all.order[i]];
  if (before > 1) ends.there.batch.push_back({before, rows * columns, rows * columns});
  ends.there.batch.push_back({columns, 1, 1});
  ends.back = ends.there;
  ends.back.direction = Direction::inverse;
  return ends;
}

/// Of these dimensions, slowest first; the shift is with the last.
gpu::AxisSymbols symbols_of(PoissonProblem const& problem, Outside const& all, std::size_t middle) {
  std::size_t const place = place_of_middle(all, middle);
  auto const sums = [&](std::size_t first, std::size_t last, double shift) {
    std::vector<double> table{shift};
    for (std::size_t i = first; i < last; ++i) {
      auto const own = eigenvalues(problem.axes[all.order[i]], problem.symbols);
      std::vector<double> next;
      for (double const before : table)
        for (Index k = 0; k < all.stored[all.order[i]]; ++k) next.push_back(before + own[std::size_t(k)]);
      table = std::move(next);
    }
    return table;
  };
  gpu::AxisSymbols tables;
  if (place > 0) tables.push_back(sums(0, place, 0));
  tables.push_back(sums(place, place + 1, 0));
  tables.push_back(sums(place + 1, all.order.size(), problem.shift));
  for (auto& table : tables)
    for (double& v : table) v *= gain_of(problem, middle);
  return tables;
}

/// What outer axes with cosines or sines may take beyond the model: none is measured.
constexpr double with_folds = 1.1;

double cost_of(PoissonProblem const& problem, std::size_t middle, Machine const& machine) {
  Outside const all = unscaled(problem, middle);
  double total =
      joints(ends_of(problem, all, middle), *factors_of(problem.axes[middle]), machine).front().cost;
  bool folds = false;
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    folds = folds || (a != middle && problem.axes[a].low != Boundary::periodic);
  for (Problem const& outer : {*all.forward, *all.back})
    total += (folds ? with_folds : 1) * outer_program(outer, machine).cost;
  return total;
}

}  // namespace

std::optional<SplitOnGpu::Choice> SplitOnGpu::choice(PoissonProblem const& problem, Machine const& machine) {
  std::optional<Choice> best;
  for (std::size_t middle = 0; middle < problem.axes.size(); ++middle) {
    bool real = true;  // the spectrum of the others
    for (std::size_t a = 0; a < problem.axes.size(); ++a)
      if (a != middle && problem.axes[a].low == Boundary::periodic) real = false;
    if (real || !factors_of(problem.axes[middle])) continue;
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
      gain_(gain_of(problem, middle)),
      factors_(*factors_of(problem.axes[middle])),
      forward_(outer_transform(*all_.forward, device, options)),
      middle_(ends_of(problem, all_, middle), factors_, symbols_of(problem, all_, middle), device,
              without_functions(options)),
      back_(outer_transform(*all_.back, device, without_functions(options))),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)),
      aside_(context_) {}

double SplitOnGpu::solve(void const* f, void* phi) const {
  gpu::Current const current(context_);
  gpu::Borrowed borrowed(*pool_, nullptr);
  void* const spectrum =
      reinterpret_cast<void*>(borrowed.take(std::size_t(out_bytes(*all_.forward)), "the spectrum"));
  forward_.execute(f, spectrum);
  void* const workspace = reinterpret_cast<void*>(
      borrowed.take(middle_.workspace_bytes(), "the workspace"));  // of the constant, too
  middle_.execute(spectrum, spectrum, workspace);
  if (!singular_) {
    back_.execute(spectrum, phi);
    return 0;
  }
  auto const turn = aside_.after(nullptr);  // the constant is known before the way back is over
  back_.execute(spectrum, phi);
  return middle_.constant(workspace, turn.stream()).real() / gain_;
}

std::string SplitOnGpu::describe() const {
  char const* const along = factors_ == Factors::cosines ? "in cosines along the middle axis:\n"
                            : factors_ == Factors::sines ? "in sines along the middle axis:\n"
                                                         : "";
  return forward_.describe() + along + middle_.describe() + back_.describe();
}

}  // namespace skipper::poisson
