// Dot products over all of a batch, on all cores.
#include "check.h"

#include <skipper/plan.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <random>
#include <thread>
#include <vector>

#include "scalars.h"

namespace skipper::cli {
namespace {

using Wide = std::complex<double>;

constexpr std::int64_t longest_weights = std::int64_t(1) << 24;  // of weights: 256 MiB

std::int64_t points(Problem const& problem) {
  std::int64_t n = 1;
  for (Axis const& a : problem.axes) n *= a.size;
  return n;
}

bool checkable(Problem const& problem) {
  if (problem.kind != Kind::c2c || problem.order != Order::natural || problem.batch.size() > 1) return false;
  for (Axis const& a : problem.axes)
    if (a.kind != AxisKind::fourier) return false;
  Problem dense = dense_layout(problem);
  return problem == dense && !is_partial(problem);
}

struct Weights {
  std::vector<Wide> out, in;  // of the outputs, and what they make of the inputs
};

Weights weights_for(Problem problem) {
  Weights w;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  w.out.resize(std::size_t(points(problem)));
  for (Wide& r : w.out) r = {uniform(random), uniform(random)};
  w.in.resize(w.out.size());
  problem.precision = Precision::f64;
  problem.placement = Placement::out_of_place;
  problem.batch.clear();
  PlanSettings settings;
  settings.device = Device("cpu");
  Plan(dense_layout(problem), settings).execute(w.out.data(), w.in.data());
  return w;
}

struct Sums {
  Wide difference{};                // sum r X - sum s x
  double outputs = 0, weights = 0;  // sum |X|^2, sum |r|^2
};

// By halves, so that rounding of the sums stays below that of the transforms.
template <class Number>
Sums sums(Weights const& w, Number const* x, Number const* y, std::size_t begin, std::size_t end) {
  Sums total;
  if (end - begin > 128) {
    std::size_t const middle = (begin + end) / 2;
    Sums const low = sums(w, x, y, begin, middle), high = sums(w, x, y, middle, end);
    return {low.difference + high.difference, low.outputs + high.outputs, low.weights + high.weights};
  }
  for (std::size_t i = begin; i < end; ++i) {
    Wide const in(x[i]), out(y[i]);
    total.difference += w.out[i] * out - w.in[i] * in;
    total.outputs += std::norm(out);
    total.weights += std::norm(w.out[i]);
  }
  return total;
}

// Over the size that a sum of independent errors as large as the outputs would have.
template <class Number>
double defect(Weights const& w, Number const* x, Number const* y) {
  Sums const s = sums(w, x, y, 0, w.out.size());
  return std::abs(s.difference) / std::max(std::sqrt(s.outputs * s.weights / double(w.out.size())), 1e-300);
}

template <class Number>
double parseval_defect(std::int64_t n, double scale, Number const* x, Number const* y) {
  double in = 0, out = 0;
  for (std::int64_t i = 0; i < n; ++i) in += std::norm(Wide(x[i])), out += std::norm(Wide(y[i]));
  return std::abs(out / (in * double(n) * scale * scale) - 1);
}

template <class Number>
WholeCheck checked(Problem const& problem, void const* in, void const* out, double error_l2) {
  auto const* const x = static_cast<Number const*>(in);
  auto const* const y = static_cast<Number const*>(out);
  std::int64_t const n = points(problem), batch = problem.batch.empty() ? 1 : problem.batch[0].size;
  bool const by_weights = n <= longest_weights;
  Weights const w = by_weights ? weights_for(problem) : Weights{};
  std::atomic<std::int64_t> next = 0;
  std::int64_t const step = std::max<std::int64_t>(1, std::min<std::int64_t>(batch / 64, 65536 / n + 1));
  std::vector<double> worst(std::max(1u, std::thread::hardware_concurrency()), 0);
  {
    std::vector<std::jthread> threads;
    for (double& mine : worst)
      threads.emplace_back([&] {
        for (std::int64_t b; (b = next.fetch_add(step)) < batch;)
          for (std::int64_t i = b; i < std::min(batch, b + step); ++i) {
            double const d = by_weights ? defect(w, x + i * n, y + i * n)
                                        : parseval_defect(n, problem.scale, x + i * n, y + i * n);
            mine = std::isnan(d) ? INFINITY : std::max(mine, d);
          }
      });
  }
  // Over many sums the largest defect is several times the usual one.
  double const usual = by_weights ? 8 * error_l2 : 1e-3;
  return {batch, *std::max_element(worst.begin(), worst.end()) / usual};
}

}  // namespace

WholeCheck whole_check(Problem const& problem, void const* in, void const* out, double error_l2) {
  if (!checkable(problem)) return {};
  return with_scalar(problem.precision,
                     [&]<class Scalar>(Scalar) { return checked<Pair<Scalar>>(problem, in, out, error_l2); });
}

}  // namespace skipper::cli
