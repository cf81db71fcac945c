#include "poisson/on_gpu.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

void demand_solvable(PoissonProblem const& p) {
  if (p.precision == Precision::f16) throw Error("precision", "is f16; Poisson solves in f32 or f64");
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (is_tridiagonal(p.axes[i]))
      throw Error("axes[" + std::to_string(i) + "]",
                  "is solved by tridiagonal sweeps, which GPUs do not have yet; use Device(\"cpu\")");
  std::size_t const periodic = std::size_t(std::count_if(
      p.axes.begin(), p.axes.end(), [](PoissonAxis const& a) { return a.low == Boundary::periodic; }));
  if (periodic < p.axes.size() && periodic < 2)
    throw Error("axes", "has " + std::to_string(periodic) +
                            " periodic axes beside others, but GPUs solve with two of them or only such; use "
                            "Device(\"cpu\")");
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (is_singular(p) && p.axes[i].low == Boundary::neumann && p.axes[i].centring == Centring::node)
      throw Error(
          "axes[" + std::to_string(i) + "].centring",
          "is node between Neumann ends, which count half in the defect, as GPUs do not yet; use cell, a "
          "shift, or Device(\"cpu\")");
  if (is_singular(p) && p.zero_mode != ZeroMode::zero_mean)
    throw Error("zero_mode", "is not zero_mean, which is all that GPUs do; use that, or Device(\"cpu\")");
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

/// One over the symbol and the gain of the transforms, at every mode that is stored; zero where only the mean is.
std::vector<std::complex<double>> inverse_symbols(PoissonProblem const& problem, Problem const& there,
                                                  bool whole) {
  std::vector<double> symbols{problem.shift};
  double gain = 1;
  auto const halved = halved_axis(there);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    auto values = eigenvalues(problem.axes[i], problem.symbols);
    if (!whole && halved == i) values.resize(values.size() / 2 + 1);
    gain *= transforms(problem.axes[i]).gain;
    std::vector<double> next;
    next.reserve(symbols.size() * values.size());
    for (double const s : symbols)
      for (double const v : values) next.push_back(s + v);
    symbols = std::move(next);
  }
  double largest = 0;
  for (double const s : symbols) largest = std::max(largest, std::abs(s));
  for (std::size_t k = is_singular(problem) ? 1 : 0; k < symbols.size(); ++k)
    if (std::abs(symbols[k]) <= 64 * std::numeric_limits<double>::epsilon() * largest)
      throw Error("shift",
                  "is " + std::to_string(problem.shift) +
                      ", which meets an eigenvalue, so there is no unique solution; change it a little");
  std::vector<std::complex<double>> all;
  all.reserve(symbols.size());
  for (double const s : symbols) all.push_back(1 / (gain * s));
  if (is_singular(problem)) all[0] = 0;
  return all;
}

gpu::Transform solver_of(PoissonProblem const& problem, int device, gpu::Options const& options) {
  demand_solvable(problem);
  ConvolutionEnds const ends = ends_of(problem);
  return gpu::Transform(
      ends, Factors::shared, [&](bool whole) { return inverse_symbols(problem, ends.there, whole); }, device,
      options);
}

/// Rows of f as transforms of which only the sum is kept: one sweep that reads, and leaves little to add up.
Problem sums_of(Index points, Precision precision) {
  constexpr Index longest = 4096;
  Index row = 1;
  for (Index d : divisors(points))
    if (d <= longest) row = std::max(row, d);
  Problem p = r2c({row}, points / row, precision);
  p.axes[0].out_count = 1;
  return dense_layout(p);
}

}  // namespace

OnGpu::OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : solver_(solver_of(problem, device, options)), wide_(problem.precision == Precision::f64) {
  for (PoissonAxis const& axis : problem.axes) points_ *= axis.size;
  if (!is_singular(problem)) return;
  Problem const sums = sums_of(points_, problem.precision);
  rows_ = points_ / sums.axes[0].size;
  gpu::Options staged = options;
  staged.stage_host_arrays = true;
  sums_.emplace(sums, device, staged);
}

PoissonResult OnGpu::solve(void const* f, void* phi) const {
  PoissonResult result;
  if (sums_) {
    auto const mean = [&]<class T>(T) {
      std::vector<std::complex<T>> rows(static_cast<std::size_t>(rows_));
      sums_->execute(f, rows.data());
      double sum = 0;
      for (auto const& r : rows) sum += double(r.real());
      return sum / double(points_);
    };
    result.defect = wide_ ? mean(double()) : mean(float());
  }
  solver_.execute(f, phi);
  return result;
}

}  // namespace skipper::poisson
