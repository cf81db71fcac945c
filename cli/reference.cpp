// Samples of the definition. For outputs that share all indices but the first axis's, the sums over the other axes are
// done once, so that one pass over the input gives a line of outputs. c2r counts the stored half of its input twice,
// but for the bins that are their own mirror image, and takes the real part.
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include "scalars.h"
#include "trig_terms.h"
#include "twofold.h"

namespace skipper::cli {
namespace {

template <class R>
struct Complex {
  R re{}, im{};
};

template <class R>
Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class R>
Complex<R> operator+(Complex<R> a, Complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}

// exp(2 pi i m / n): reduced to an eighth of the circle in integers, then by long double.
template <class R>
Complex<R> unit_root(std::int64_t n, std::int64_t m) {
  constexpr long double tau = 6.283185307179586476925286766559005768L;
  bool const below = m > n - m;  // mirror the lower half
  if (below) m = n - m;
  bool const left = 4 * m > n;
  // cos and sin of m/n of a turn, m in the upper half: from the right quarter, then from below the diagonal.
  std::int64_t const q = left ? n - 2 * m : 2 * m;  // twice the index from the real axis
  long double c, s;
  if (4 * q <= n) {
    long double const angle = tau * (long double)(q) / (2 * (long double)(n));
    c = std::cos(angle), s = std::sin(angle);
  } else {
    std::int64_t const r = n - 2 * q;  // four times the index from the imaginary axis
    long double const angle = tau * (long double)(r) / (4 * (long double)(n));
    c = std::sin(angle), s = std::cos(angle);
  }
  return {R(left ? -c : c), R(below ? -s : s)};
}

// Roots of unity of one order, from one table, or for long axes from the product of two.
template <class R>
class Roots {
 public:
  Roots(std::int64_t n, int sign) : n_(n) {
    while (low_ < n && low_ < 4096) low_ *= 2;
    for (std::int64_t i = 0; i < std::min(low_, n); ++i) fine_.push_back(turned(i, sign));
    for (std::int64_t i = 0; i * low_ < n; ++i) coarse_.push_back(turned(i * low_, sign));
  }
  Complex<R> operator()(std::int64_t m) const {
    return coarse_.size() == 1 ? fine_[std::size_t(m)]
                               : coarse_[std::size_t(m / low_)] * fine_[std::size_t(m % low_)];
  }
  std::int64_t order() const { return n_; }

 private:
  Complex<R> turned(std::int64_t m, int sign) const {
    Complex<R> const w = unit_root<R>(n_, m);
    return {w.re, sign > 0 ? w.im : -w.im};
  }
  std::int64_t n_, low_ = 1;
  std::vector<Complex<R>> fine_, coarse_;
};

template <class R, class T>
class Definition {
 public:
  Definition(Problem const& problem, T const* in)
      : problem_(problem), in_(in), halved_(halved_axis(problem)) {
    int const sign = problem.direction == Direction::forward ? -1 : 1;
    for (Axis const& a : problem.axes) {
      trig_.push_back(TrigTerms::of(a));
      bool const fourier = a.kind == AxisKind::fourier;
      roots_.emplace_back(fourier ? a.size : trig_.back().turn, fourier ? sign : 1);
    }
  }

  // Outputs with indices k, but k[0] out of `firsts`, of the transform whose input begins at `offset`.
  std::vector<Complex<R>> outputs(std::int64_t offset, std::vector<std::int64_t> const& k,
                                  std::vector<std::int64_t> const& firsts) {
    std::int64_t const n = in_size(problem_, 0);
    std::vector<Complex<R>> line;
    for (std::int64_t j = 0; j < n; ++j)
      line.push_back(weighted(0, j, value(1, offset + j * problem_.axes[0].in_stride, k)));
    std::vector<Complex<R>> result;
    for (std::int64_t const first : firsts) {
      Complex<R> total;
      for_each_root(0, n, first,
                    [&](std::int64_t j, Complex<R> w) { total = total + line[std::size_t(j)] * w; });
      R const scale(whole_scale(problem_));
      result.push_back({total.re * scale, problem_.kind == Kind::c2r ? R(0.0) : total.im * scale});
    }
    return result;
  }

 private:
  template <class Work>
  void for_each_root(std::size_t axis, std::int64_t count, std::int64_t k, Work work) {
    std::int64_t const n = problem_.axes[axis].size;
    if (problem_.axes[axis].kind != AxisKind::fourier)
      return trig_[axis].each(k, problem_.norm == Norm::ortho,
                              [&](std::int64_t j, std::int64_t m, double weight) {
                                Complex<R> const w = roots_[axis](m);
                                work(j, Complex<R>{(trig_[axis].sine ? w.im : w.re) * R(weight), R(0.0)});
                              });
    std::int64_t m = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      work(j, roots_[axis](m));
      m += k;
      if (m >= n) m -= n;
    }
  }

  Complex<R> load(std::int64_t at) const {
    if (problem_.kind == Kind::r2c || problem_.kind == Kind::r2r) return {R(double(in_[at])), R(0.0)};
    return {R(double(in_[2 * at])), R(double(in_[2 * at + 1]))};
  }

  Complex<R> weighted(std::size_t axis, std::int64_t j, Complex<R> x) const {
    bool const twice =
        problem_.kind == Kind::c2r && halved_ == axis && j > 0 && 2 * j != problem_.axes[axis].size;
    return twice ? x + x : x;
  }

  // The sum over this axis and all after it.
  Complex<R> value(std::size_t axis, std::int64_t offset, std::vector<std::int64_t> const& k) {
    if (axis == problem_.axes.size()) return load(offset);
    Complex<R> total;
    std::int64_t const stride = problem_.axes[axis].in_stride;
    for_each_root(axis, in_size(problem_, axis), k[axis], [&](std::int64_t j, Complex<R> w) {
      total = total + weighted(axis, j, value(axis + 1, offset + j * stride, k)) * w;
    });
    return total;
  }

  Problem const& problem_;
  T const* in_;
  std::optional<std::size_t> halved_;
  std::vector<Roots<R>> roots_;
  std::vector<TrigTerms> trig_;
};

double points(Problem const& problem) {
  double n = 1;
  for (Axis const& a : problem.axes) n *= double(a.size);
  return n;
}

template <class R, class T>
Accuracy judged(Problem const& problem, T const* in, T const* out) {
  std::mt19937_64 random(7);
  auto const below = [&](std::int64_t n) { return std::int64_t(random() % std::uint64_t(n)); };
  // Multiplications in all, for about half a second on one core in either arithmetic.
  double const budget = sizeof(T) == 4 ? 6e7 : 1.2e7;
  double const pass = points(problem);
  int const lines =
      problem.axes.size() == 1 && problem.batch.empty() ? 1 : int(std::clamp(budget / 2 / pass, 1.0, 16.0));
  double const first_size = double(problem.axes[0].size);
  auto const firsts_count = std::int64_t(std::clamp(budget / 2 / lines / first_size, 4.0, 64.0));
  Definition<R, T> definition(problem, in);
  Accuracy result;
  double error = 0, whole = 0, worst = 0;
  for (int l = 0; l < lines; ++l) {
    std::int64_t from = 0, to = 0;
    for (Dim const& d : problem.batch) {
      std::int64_t const i = below(d.size);
      from += i * d.in_stride, to += i * d.out_stride;
    }
    std::vector<std::int64_t> k, firsts;
    for (std::size_t a = 0; a < problem.axes.size(); ++a) k.push_back(below(out_size(problem, a)));
    for (std::size_t a = 1; a < k.size(); ++a) to += k[a] * problem.axes[a].out_stride;
    std::int64_t const all = out_size(problem, 0);
    for (std::int64_t i = 0; i < std::min(all, firsts_count); ++i)
      firsts.push_back(all <= firsts_count ? i : below(all));
    std::vector<Complex<R>> const exact = definition.outputs(from, k, firsts);
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      std::int64_t const at = to + firsts[i] * problem.axes[0].out_stride;
      bool const real = problem.kind == Kind::c2r || problem.kind == Kind::r2r;
      double const re = double(R(double(out[real ? at : 2 * at])) - exact[i].re);
      double const im = real ? 0 : double(R(double(out[2 * at + 1])) - exact[i].im);
      double const square = re * re + im * im;
      error += square;
      worst = std::isnan(square) ? square : std::max(worst, square);
      whole += std::norm(std::complex<double>(double(exact[i].re), double(exact[i].im)));
      ++result.samples;
    }
  }
  double const mean = whole / double(result.samples);
  result.l2 = whole > 0 ? std::sqrt(error / whole) : std::sqrt(error);
  result.max = whole > 0 ? std::sqrt(worst / mean) : std::sqrt(worst);
  return result;
}

}  // namespace

Accuracy accuracy(Problem const& problem, void const* in, void const* out) {
  check(problem);
  if (problem.order != Order::natural)
    throw Error("order", "is digit-reversed; only natural order can be verified so far");
  if (is_partial(problem)) throw Error("axes", "padded and cropped axes cannot be verified so far");
  return with_scalar(problem.precision, [&]<class Scalar>(Scalar) {
    using Reference = std::conditional_t<std::is_same_v<Scalar, double>, Twofold, double>;
    return judged<Reference>(problem, static_cast<Scalar const*>(in), static_cast<Scalar const*>(out));
  });
}

double allowed_l2(Problem const& problem) {
  // Outputs in 16-bit storage are rounded once, to 11 or 8 digits, much coarser than the rest.
  if (problem.precision == Precision::f16) return 0x1p-11;
  if (problem.precision == Precision::bf16) return 0x1p-8;
  double const unit = problem.precision == Precision::f32 ? 0x1p-23 : 0x1p-52;
  return unit * std::max(2.0, 0.5 * std::log2(points(problem)));
}

double allowed_max(Problem const& problem) { return 8 * allowed_l2(problem); }

}  // namespace skipper::cli
