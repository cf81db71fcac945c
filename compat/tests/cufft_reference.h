#pragma once
// What the cuFFT interface is tested against: the definition, summed as it stands in double precision, and arrays of any
// layout. Knows nothing of Skipper, and takes whichever cufftXt.h is found.
#include <cufftXt.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

namespace skipper::cufft::testing {

using Index = long long;
using Complex = std::complex<double>;

/// The transform along all axes of a dense array, slowest axis first; sign of the exponent as in cuFFT.
inline std::vector<Complex> transformed(std::vector<Complex> x, std::vector<Index> const& shape, int sign) {
  Index inner = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    Index const n = shape[axis];
    std::vector<Complex> roots(static_cast<std::size_t>(n)), y(x.size());
    for (Index k = 0; k < n; ++k)
      roots[std::size_t(k)] = std::polar(1.0, sign * 2 * std::numbers::pi * double(k) / double(n));
    for (Index place = 0; place < Index(x.size()); ++place) {
      Index const k = place / inner % n, first = place - k * inner;
      Complex sum = 0;
      for (Index j = 0; j < n; ++j) sum += x[std::size_t(first + j * inner)] * roots[std::size_t(j * k % n)];
      y[std::size_t(place)] = sum;
    }
    x = std::move(y);
    inner *= n;
  }
  return x;
}

/// One side of a transform as cuFFT describes it.
struct Side {
  std::vector<Index> embed;
  Index stride = 1, distance = 0;
};

/// Where element i of a dense array of these sizes lies in memory, for every batch.
inline std::vector<std::size_t> places(std::vector<Index> const& sizes, Index batch, Side const& side) {
  std::vector<std::size_t> result;
  Index count = 1;
  for (Index const n : sizes) count *= n;
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < count; ++i) {
      Index rest = i, stride = side.stride, place = b * side.distance;
      for (std::size_t axis = sizes.size(); axis-- > 0;) {
        place += rest % sizes[axis] * stride;
        rest /= sizes[axis];
        stride *= side.embed[axis];
      }
      result.push_back(std::size_t(place));
    }
  return result;
}

inline Side dense_side(std::vector<Index> const& sizes) {
  Side side{sizes, 1, 1};
  for (Index const n : sizes) side.distance *= n;
  return side;
}

enum class What { c2c, r2c, c2r };

/// What is transformed, and how the arrays lie. Sides that are not given are dense; real ones in place are padded.
struct Case {
  What what = What::c2c;
  std::vector<Index> shape;
  Index batch = 1;
  int sign = CUFFT_FORWARD;  // of c2c
  bool in_place = false;
  std::vector<Side> sides = {};  // none, or that of the input and that of the output

  /// What cufftXtExec wants to be told: a real transform goes one way.
  int direction() const { return what == What::c2c ? sign : real_out() ? CUFFT_INVERSE : CUFFT_FORWARD; }
  bool real_in() const { return what == What::r2c; }
  bool real_out() const { return what == What::c2r; }
  std::vector<Index> stored(bool real) const {
    std::vector<Index> sizes = shape;
    if (what != What::c2c && !real) sizes.back() = sizes.back() / 2 + 1;
    return sizes;
  }
  Side side(bool out) const {
    if (!sides.empty()) return sides[out];
    bool const real = out ? real_out() : real_in();
    Side result = dense_side(stored(real));
    if (real && in_place) {
      result.embed.back() = 2 * (shape.back() / 2 + 1);
      result = dense_side(result.embed);
    }
    return result;
  }
};

/// Inputs and what they become, both dense with the batch outermost.
struct Expected {
  std::vector<Complex> in, out;
};

inline Expected expected(Case const& c) {
  Expected result;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Index points = 1;
  for (Index const n : c.shape) points *= n;
  auto const half = [&](std::vector<Complex> const& whole) {
    Index const n = c.shape.back();
    std::vector<Complex> some;
    for (Index i = 0; i < points; ++i)
      if (i % n <= n / 2) some.push_back(whole[std::size_t(i)]);
    return some;
  };
  auto const append = [](std::vector<Complex>& to, std::vector<Complex> const& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (Index b = 0; b < c.batch; ++b) {
    std::vector<Complex> x(static_cast<std::size_t>(points));
    for (Complex& v : x) v = {uniform(random), c.what == What::c2c ? uniform(random) : 0};
    if (c.what == What::c2c) {
      append(result.in, x);
      append(result.out, transformed(x, c.shape, c.sign));
    } else if (c.what == What::r2c) {
      append(result.in, x);
      append(result.out, half(transformed(x, c.shape, CUFFT_FORWARD)));
    } else {  // from the spectrum of real numbers, times their number
      append(result.in, half(transformed(x, c.shape, CUFFT_FORWARD)));
      for (Complex& v : x) v *= double(points);
      append(result.out, x);
    }
  }
  return result;
}

/// A side's memory: numbers of type Real, real or in pairs, with a mark wherever no element lies.
template <class Real>
struct Memory {
  static constexpr float mark = 42;
  bool real;
  std::vector<std::size_t> at;
  std::vector<Real> values;

  Memory(Case const& c, bool out)
      : real(out ? c.real_out() : c.real_in()), at(places(c.stored(real), c.batch, c.side(out))) {
    std::size_t last = 0;
    for (std::size_t const place : at) last = std::max(last, place);
    values.assign((last + 1) * (real ? 1 : 2), Real(mark));
  }
  void put(std::vector<Complex> const& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (real) values[at[i]] = Real(x[i].real());
      if (!real) values[2 * at[i]] = Real(x[i].real()), values[2 * at[i] + 1] = Real(x[i].imag());
    }
  }
  /// The relative error of the elements in 2-norm.
  double error(std::vector<Complex> const& x) const {
    double wrong = 0, whole = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      Complex const y = real ? Complex(double(values[at[i]]))
                             : Complex(double(values[2 * at[i]]), double(values[2 * at[i] + 1]));
      wrong += std::norm(y - x[i]);
      whole += std::norm(x[i]);
    }
    return std::sqrt(wrong / whole);
  }
  /// Whether nothing was written between the elements.
  bool gaps_are_kept() const {
    std::vector<bool> element(values.size());
    for (std::size_t const place : at) {
      element[real ? place : 2 * place] = true;
      if (!real) element[2 * place + 1] = true;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!element[i] && float(values[i]) != mark) return false;
    return true;
  }
};

}  // namespace skipper::cufft::testing
