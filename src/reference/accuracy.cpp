// See accuracy.h. Outputs are sampled in lines along the first axis, so that one pass over the input gives a line.
#include "reference/accuracy.h"

#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "reference/transform.h"

namespace skipper::reference {
namespace {

double points(Problem const& problem) {
  double n = 1;
  for (Axis const& a : problem.axes) n *= double(a.size);
  return n;
}

/// Errors as they are added up.
struct Tally {
  double error = 0, whole = 0, worst = 0, sampled = 0;
  std::size_t samples = 0;

  void add(double error_re, double error_im, double re, double im) {
    double const square = error_re * error_re + error_im * error_im;
    error += square;
    worst = std::isnan(square) ? square : std::max(worst, square);
    sampled += re * re + im * im;
    ++samples;
  }
  /// At the end of a line. Errors are measured by what was sampled, but by no less than a quarter of what the inputs make likely, and
  /// by all of it where a long transform has few samples: one output may be all, and happen to be small.
  void end_line(bool few, double likely) {
    whole += std::max(sampled, few ? likely : likely / 4);
    sampled = 0;
  }
  Accuracy result() const {
    double const mean = whole / double(samples);
    if (whole > 0) return {std::sqrt(error / whole), std::sqrt(worst / mean), samples};
    return {std::sqrt(error), std::sqrt(worst), samples};
  }
};

/// The number at a place of an array of T, which is real or complex.
template <class T>
auto loaded(T const* from, bool real, Index at) {
  using R = Beyond<T>;
  if (real) return Complex<R>{R(double(from[at])), R(0.0)};
  return Complex<R>{R(double(from[2 * at])), R(double(from[2 * at + 1]))};
}

template <class T>
Accuracy judged(Problem const& problem, T const* in, T const* out, Samples samples) {
  using R = Beyond<T>;
  std::mt19937_64 random(7);
  auto const below = [&](Index n) { return Index(random() % std::uint64_t(n)); };
  // Multiplications in all, for about half a second on one core in either arithmetic.
  double const many = sizeof(R) == sizeof(double) ? 6e7 : 1e7;
  double const budget = samples == Samples::many ? many : many / 10;
  int const lines = problem.axes.size() == 1 && problem.batch.empty()
                        ? 1
                        : int(std::clamp(budget / 2 / points(problem), 1.0, 16.0));
  double const first_size = double(problem.axes[0].size);
  auto const firsts_count =
      Index(std::clamp(budget / 2 / lines / first_size, samples == Samples::many ? 4.0 : 1.0, 64.0));
  Outputs<R> const outputs(problem);
  ProblemKindFacts const kind = facts(problem.kind);
  Tally tally;
  for (int l = 0; l < lines; ++l) {
    Index from = 0, to = 0;
    for (Dim const& d : problem.batch) {
      Index const i = below(d.size);
      from += i * d.in_stride, to += i * d.out_stride;
    }
    std::vector<Index> k, firsts;
    for (std::size_t a = 0; a < problem.axes.size(); ++a) k.push_back(below(out_size(problem, a)));
    for (std::size_t a = 1; a < k.size(); ++a) to += k[a] * problem.axes[a].out_stride;
    Index const all = out_size(problem, 0);
    for (Index i = 0; i < std::min(all, firsts_count); ++i)
      firsts.push_back(all <= firsts_count ? i : below(all));
    double squares = 0;  // of the inputs
    auto const exact = outputs.along_first(k, firsts, [&](std::vector<Index> const& index) {
      Index at = from;
      for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * problem.axes[a].in_stride;
      auto const x = loaded(in, kind.real_in, at);
      squares += rounded(x.re) * rounded(x.re) + rounded(x.im) * rounded(x.im);
      return x;
    });
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      auto const got = loaded(out, kind.real_out, to + firsts[i] * problem.axes[0].out_stride);
      auto const error = got - exact[i];
      tally.add(rounded(error.re), rounded(error.im), rounded(exact[i].re), rounded(exact[i].im));
    }
    constexpr double enough = 16;
    tally.end_line(lines * double(firsts.size()) < std::min(points(problem), enough),
                   double(firsts.size()) * whole_scale(problem) * whole_scale(problem) * squares);
  }
  return tally.result();
}

}  // namespace

Accuracy accuracy(Problem const& problem, void const* in, void const* out, Samples samples) {
  check(problem);
  if (problem.order != Order::natural)
    throw Error("order", "is digit-reversed; only natural order can be verified so far");
  switch (problem.precision) {
    case Precision::f16:
      return judged(problem, static_cast<Half const*>(in), static_cast<Half const*>(out), samples);
    case Precision::bf16:
      return judged(problem, static_cast<BFloat16 const*>(in), static_cast<BFloat16 const*>(out), samples);
    case Precision::f32:
      return judged(problem, static_cast<float const*>(in), static_cast<float const*>(out), samples);
    case Precision::f64:
      break;
  }
  return judged(problem, static_cast<double const*>(in), static_cast<double const*>(out), samples);
}

double allowed_l2(Problem const& problem) {
  // Outputs in 16-bit storage are rounded once, to 11 or 8 digits, much coarser than the rest.
  if (problem.precision == Precision::f16) return 0x1p-11;
  if (problem.precision == Precision::bf16) return 0x1p-8;
  double const unit = problem.precision == Precision::f32 ? 0x1p-23 : 0x1p-52;
  return unit * std::max(3.0, 0.5 * std::log2(points(problem)));
}

double allowed_max(Problem const& problem) { return 8 * allowed_l2(problem); }

}  // namespace skipper::reference
