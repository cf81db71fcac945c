// See verify_real.h: the definitions of real transforms, and programs of them under the emulator held to these.
#include "support/verify_real.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <random>

#include "base/roots.h"
#include "support/fine_transform.h"
#include "support/reference.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

/// exp(-2 pi i k / n) for all k, in a scalar wider than the one under test.
template <class S>
std::vector<std::complex<S>> circle(Index n) {
  std::vector<std::complex<S>> w;
  for (Index k = 0; k < n; ++k) {
    WideRoot const r = wide_root(k, n);
    w.emplace_back(S(r.re.high) + S(r.re.low), S(r.im.high) + S(r.im.low));
  }
  return w;
}

/// One axis by its definition, line by line.
template <class S>
class AxisByDefinition {
 public:
  using C = std::complex<S>;
  AxisByDefinition(Kind problem, Axis const& axis, bool halved, bool inverse, bool ortho)
      : problem_(problem),
        n_(axis.size),
        kind_(axis.kind),
        halved_(halved),
        inverse_(inverse),
        ortho_(ortho),
        w_(circle<S>(order())) {}

  std::vector<C> operator()(std::vector<C> const& x) const {
    if (kind_ == AxisKind::fourier && n_ >= 64) return by_primes(x);
    std::vector<C> out(halved_ && problem_ == Kind::r2c ? n_ / 2 + 1 : n_);
    for (Index k = 0; k < Index(out.size()); ++k) {
      C sum{};
      for (Index j = 0; j < Index(x.size()); ++j) sum += term(j, k, x[j]) * weight(j, k);
      out[k] = halved_ && problem_ == Kind::c2r ? C(sum.real(), 0) : sum;
    }
    return out;
  }

 private:
  /// Of Norm::ortho, as problem.h has it.
  S weight(Index j, Index k) const {
    using enum AxisKind;
    if (!ortho_) return 1;
    bool const raised =
        (j == 0 && (kind_ == dct1 || kind_ == dct3)) || (j == n_ - 1 && (kind_ == dct1 || kind_ == dst3));
    bool const lowered =
        (k == 0 && (kind_ == dct1 || kind_ == dct2)) || (k == n_ - 1 && (kind_ == dct1 || kind_ == dst2));
    return (raised ? std::sqrt(S(2)) : S(1)) / (lowered ? std::sqrt(S(2)) : S(1));
  }
  /// A long line, its missing half made whole and what must be real made so.
  std::vector<C> by_primes(std::vector<C> const& x) const {
    bool const c2r = halved_ && problem_ == Kind::c2r;
    std::vector<Fine> line(n_);
    for (Index j = 0; j < n_; ++j) {
      Index const at = std::min(j, n_ - j);
      C v = c2r && j != at ? std::conj(x[at]) : x[j];
      if (c2r && (j == 0 || 2 * j == n_)) v = v.real();
      line[j] = {widened(v.real()), widened(inverse_ ? -v.imag() : v.imag())};
    }
    line = fine_transform(line);
    std::vector<C> out(halved_ && problem_ == Kind::r2c ? n_ / 2 + 1 : n_);
    for (Index k = 0; k < Index(out.size()); ++k) {
      S const re = S(line[k].re.high) + S(line[k].re.low), im = S(line[k].im.high) + S(line[k].im.low);
      out[k] = c2r ? C(re, 0) : C(re, inverse_ ? -im : im);
    }
    return out;
  }
  static DoubleDouble widened(S x) { return {double(x), double(x - S(double(x)))}; }

  Index order() const {
    switch (kind_) {
      case AxisKind::fourier:
        return n_;
      case AxisKind::dct1:
        return 2 * (n_ - 1);
      case AxisKind::dst1:
        return 2 * (n_ + 1);
      default:
        return 8 * n_;
    }
  }
  C term(Index j, Index k, C x) const {
    auto const cosine = [&](Index e) { return w_[e % Index(w_.size())].real(); };
    auto const sine = [&](Index e) { return -w_[e % Index(w_.size())].imag(); };
    bool const last = j == n_ - 1;
    switch (kind_) {
      case AxisKind::fourier: {
        Index const e = j * k % n_;
        C const w = inverse_ ? std::conj(w_[e]) : w_[e];
        // Of the halved spectrum each number stands for two, except those that must be real.
        bool const doubled = halved_ && problem_ == Kind::c2r && j != 0 && 2 * j != n_;
        if (halved_ && problem_ == Kind::c2r && !doubled) x = x.real();
        return (doubled ? S(2) : S(1)) * (x * w);
      }
      case AxisKind::dct1:
        return (j == 0 || last ? S(1) : S(2)) * cosine(j * k) * x;
      case AxisKind::dct2:
        return S(2) * cosine(2 * (2 * j + 1) * k) * x;
      case AxisKind::dct3:
        return (j == 0 ? S(1) : S(2)) * cosine(2 * j * (2 * k + 1)) * x;
      case AxisKind::dct4:
        return S(2) * cosine((2 * j + 1) * (2 * k + 1)) * x;
      case AxisKind::dst1:
        return S(2) * sine((j + 1) * (k + 1)) * x;
      case AxisKind::dst2:
        return S(2) * sine(2 * (2 * j + 1) * (k + 1)) * x;
      case AxisKind::dst3:
        return (last ? S(1) : S(2)) * sine(2 * (j + 1) * (2 * k + 1)) * x;
      case AxisKind::dst4:
        return S(2) * sine((2 * j + 1) * (2 * k + 1)) * x;
    }
    return {};
  }

  Kind problem_;
  Index n_;
  AxisKind kind_;
  bool halved_, inverse_, ortho_;
  std::vector<C> w_;
};

/// All lines of a dense array along one axis.
template <class S>
void apply(AxisByDefinition<S> const& along, std::vector<std::complex<S>>& x, std::vector<Index>& shape,
           std::size_t axis) {
  Index inner = 1, outer = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) (a < axis ? outer : inner) *= a == axis ? 1 : shape[a];
  Index const from = shape[axis];
  std::vector<std::complex<S>> line(from), result;
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < inner; ++i) {
      for (Index j = 0; j < from; ++j) line[j] = x[(o * from + j) * inner + i];
      auto const y = along(line);
      if (result.empty()) result.resize(outer * inner * y.size());
      for (std::size_t k = 0; k < y.size(); ++k) result[(o * y.size() + k) * inner + i] = y[k];
    }
  shape[axis] = Index(result.size()) / outer / inner;
  x = std::move(result);
}

/// The transform of one batch entry, already scaled, and the shapes of both sides.
template <class S>
std::vector<std::complex<S>> by_definition(Problem const& p, std::vector<std::complex<S>> x) {
  auto const halved = halved_axis(p);
  std::vector<Index> shape;
  for (std::size_t a = 0; a < p.axes.size(); ++a) shape.push_back(in_size(p, a));
  auto const one = [&](std::size_t a) {
    apply(AxisByDefinition<S>(p.kind, p.axes[a], halved == a, p.direction == Direction::inverse,
                              p.norm == Norm::ortho),
          x, shape, a);
  };
  // c2r: its halved axis is the last complex one; cosine and sine transforms follow on real data.
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (p.axes[a].kind == AxisKind::fourier && halved != a) {
      if (p.kind == Kind::r2c) continue;
      one(a);
    }
  if (p.kind == Kind::c2r) one(*halved);
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (p.axes[a].kind != AxisKind::fourier) one(a);
  if (p.kind == Kind::r2c) {
    one(*halved);
    for (std::size_t a = 0; a < p.axes.size(); ++a)
      if (p.axes[a].kind == AxisKind::fourier && halved != a) one(a);
  }
  for (auto& v : x) v *= S(whole_scale(p));
  return x;
}

/// Where the elements of batch entry b stand on one side, in the row-major order of the axes.
std::vector<Index> places(Problem const& p, Index b, bool output) {
  Index at = 0;
  for (std::size_t i = p.batch.size(); i-- > 0; b /= p.batch[i].size)
    at += b % p.batch[i].size * (output ? p.batch[i].out_stride : p.batch[i].in_stride);
  std::vector<Index> list{at};
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    std::vector<Index> longer;
    Index const stride = output ? p.axes[a].out_stride : p.axes[a].in_stride;
    for (Index base : list)
      for (Index i = 0; i < (output ? out_size(p, a) : in_size(p, a)); ++i)
        longer.push_back(base + i * stride);
    list = std::move(longer);
  }
  return list;
}

template <class T>
class RealRun {
 public:
  using S = std::conditional_t<sizeof(T) == 4, double, long double>;

  RealRun(Program const& program, Machine const& machine, std::uint64_t seed)
      : program_(program), p_(program.problem), machine_(machine), random_(seed) {}

  void run() {
    bool const in_place = p_.placement == Placement::in_place;
    auto const elements = [&](std::int64_t bytes) { return (bytes + 2 * sizeof(T) - 1) / (2 * sizeof(T)); };
    std::size_t const room =
        in_place ? elements(std::max(in_bytes(p_), out_bytes(p_))) : elements(in_bytes(p_));
    Array<T> const input = random_array<T>(Index(room), random_);
    Array<T> in = input, out(in_place ? 0 : elements(out_bytes(p_)), {T(-77), T(99)});
    auto const blank = out;
    for (SweepRun const& run : run_program<T>(program_, in, out, machine_))
      verify_counts(run, element_bytes(p_));
    bool const preserved = std::memcmp(in.data(), input.data(), in.size() * sizeof(in[0])) == 0;
    EXPECT_TRUE(in_place || preserved) << "the input was not preserved";
    compare_all(input, in_place ? in : out);
    if (!in_place) gaps(out, blank);
  }

 private:
  bool real(bool output) const {
    return (output ? out_element_bytes(p_) : in_element_bytes(p_)) == sizeof(T);
  }

  std::complex<S> at(Array<T> const& x, Index place, bool output) const {
    auto const* const t = reinterpret_cast<T const*>(x.data());
    if (real(output)) return S(t[place]);
    return {S(t[2 * place]), S(t[2 * place + 1])};
  }

  void compare_all(Array<T> const& in, Array<T> const& out) {
    Index batch = 1;
    for (Dim const& d : p_.batch) batch *= d.size;
    double error = 0, norm = 0;
    for (Index l = 0; l < std::min<Index>(batch, 4); ++l) {
      Index const b = l == 0 ? 0 : l == 1 ? batch - 1 : Index(random_() % std::uint64_t(batch));
      std::vector<std::complex<S>> x;
      for (Index place : places(p_, b, false)) x.push_back(at(in, place, false));
      auto const expected = by_definition<S>(p_, std::move(x));
      auto const where = places(p_, b, true);
      ASSERT_EQ(expected.size(), where.size());
      for (std::size_t i = 0; i < where.size(); ++i) {
        error += double(std::norm(at(out, where[i], true) - expected[i]));
        norm += double(std::norm(expected[i]));
      }
    }
    EXPECT_LE(std::sqrt(error / std::max(norm, 1e-300)), allowed_error(p_));
  }

  void gaps(Array<T> const& out, Array<T> const& blank) const {
    auto const* const got = reinterpret_cast<T const*>(out.data());
    auto const* const old = reinterpret_cast<T const*>(blank.data());
    Index batch = 1;
    for (Dim const& d : p_.batch) batch *= d.size;
    std::vector<bool> written(2 * out.size(), false);
    Index const parts = real(true) ? 1 : 2;
    for (Index b = 0; b < batch; ++b)
      for (Index place : places(p_, b, true))
        for (Index i = 0; i < parts; ++i) written[parts * place + i] = true;
    for (std::size_t i = 0; i < written.size(); ++i)
      ASSERT_TRUE(written[i] || got[i] == old[i]) << "a gap of the output was written, at real " << i;
  }

  Program const& program_;
  Problem const& p_;
  Machine const& machine_;
  std::mt19937_64 random_;
};

}  // namespace

void verify_real(Program const& program, Machine const& machine, std::uint64_t seed) {
  SCOPED_TRACE(text(program) + "seed " + std::to_string(seed));
  try {
    if (program.problem.precision == Precision::f32)
      RealRun<float>(program, machine, seed).run();
    else
      RealRun<double>(program, machine, seed).run();
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

}  // namespace skipper::testing
