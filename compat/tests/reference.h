#pragma once
// What the FFTW interface is tested against: FFTW's definitions, summed as they stand in long double, on arrays of any
// strides with complex numbers in two parts. Knows nothing of Skipper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "precision.h"

namespace skipper::fftw3::testing {

using Index = std::int64_t;
using Wide = long double;
using WideComplex = std::complex<long double>;

inline constexpr Real tolerance = sizeof(Real) == 4 ? Real(2e-6) : Real(4e-15);

/// Strides count Reals. The last of the axes is the halved one of r2c and c2r.
struct Layout {
  Kind kind = Kind::c2c;
  int sign = -1;
  std::vector<FFTW_NAME(iodim64)> axes, batch;
  std::vector<int> kinds;  // of FFTW, for r2r
  Index in_pair = 1, out_pair = 1;

  bool halved() const { return kind == Kind::r2c || kind == Kind::c2r; }
  bool real_in() const { return kind == Kind::r2c || kind == Kind::r2r; }
  bool real_out() const { return kind == Kind::c2r || kind == Kind::r2r; }
};

struct Place {
  Index offset;
  std::vector<Index> index;  // batch, then axes
};

/// All elements of a side, slowest dimension first.
inline std::vector<Place> places(Layout const& layout, bool out) {
  std::vector<Place> all = {{0, {}}};
  auto const extend = [&](Index n, Index stride) {
    std::vector<Place> next;
    for (Place const& place : all)
      for (Index i = 0; i < n; ++i) {
        next.push_back({place.offset + i * stride, place.index});
        next.back().index.push_back(i);
      }
    all = std::move(next);
  };
  for (auto const& dim : layout.batch) extend(dim.n, out ? dim.os : dim.is);
  for (std::size_t i = 0; i < layout.axes.size(); ++i) {
    auto const& axis = layout.axes[i];
    bool const complex = out ? !layout.real_out() : !layout.real_in();
    bool const half = layout.halved() && complex && i + 1 == layout.axes.size();
    extend(half ? axis.n / 2 + 1 : axis.n, out ? axis.os : axis.is);
  }
  return all;
}

/// cos and sin of the multiples of pi / (4 period), once around: j and k of the definitions are whole numbers or halves. Kept,
/// since the same few periods are asked for again and again.
inline std::vector<WideComplex> const& circle(Index period) {
  static std::map<Index, std::vector<WideComplex>> kept;
  std::vector<WideComplex>& points = kept[period];
  Wide const pi = std::acos(Wide(-1));
  for (auto i = static_cast<Index>(points.size()); i < 8 * period; ++i) {
    Wide const angle = pi * (Wide(i) / 4) / Wide(period);
    points.emplace_back(std::cos(angle), std::sin(angle));
  }
  return points;
}

/// One line by definition. `kind` as FFTW numbers them; -1 for a complex Fourier transform.
inline std::vector<WideComplex> line(std::vector<WideComplex> const& x, int kind, int sign) {
  auto const n = static_cast<Index>(x.size());
  Index const period = kind == FFTW_REDFT00 ? std::max(n - 1, Index(1)) : kind == FFTW_RODFT00 ? n + 1 : n;
  std::vector<WideComplex> const& points = circle(period);
  // pi / period times the product of j and k, each of them given as so many halves.
  auto const at = [&](Index j, Index k) { return points[static_cast<std::size_t>(j * k % (8 * period))]; };
  auto const cosine = [&](Index j, Index k) { return at(j, k).real(); };
  auto const sine = [&](Index j, Index k) { return at(j, k).imag(); };
  std::vector<WideComplex> y(x.size());
  for (Index k = 0; k < n; ++k) {
    WideComplex sum = 0;
    for (Index j = 0; j < n; ++j) {
      WideComplex const w = at(4 * j, 2 * k);
      bool const ends = j == 0 || j == n - 1;
      Wide c = 0;
      switch (kind) {
        case -1:
          sum += x[j] * WideComplex(w.real(), sign * w.imag());
          continue;
        case FFTW_R2HC:
          c = 2 * k <= n ? w.real() : w.imag();
          break;  // imaginary parts, k reversed
        case FFTW_HC2R:
          c = j == 0 ? 1 : 2 * j == n ? w.real() : 2 * j < n ? 2 * w.real() : 2 * w.imag();
          break;
        case FFTW_DHT:
          c = w.real() + w.imag();
          break;
        case FFTW_REDFT00:
          c = (ends ? 1 : 2) * cosine(2 * j, 2 * k);
          break;
        case FFTW_REDFT10:
          c = 2 * cosine(2 * j + 1, 2 * k);
          break;
        case FFTW_REDFT01:
          c = (j == 0 ? 1 : 2) * cosine(2 * j, 2 * k + 1);
          break;
        case FFTW_REDFT11:
          c = 2 * cosine(2 * j + 1, 2 * k + 1);
          break;
        case FFTW_RODFT00:
          c = 2 * sine(2 * j + 2, 2 * k + 2);
          break;
        case FFTW_RODFT10:
          c = 2 * sine(2 * j + 1, 2 * k + 2);
          break;
        case FFTW_RODFT01:
          c = (j == n - 1 ? 1 : 2) * sine(2 * j + 2, 2 * k + 1);
          break;
        case FFTW_RODFT11:
          c = 2 * sine(2 * j + 1, 2 * k + 1);
          break;
      }
      sum += c * x[j];
    }
    y[k] = sum;
  }
  return y;
}

/// A dense array of one transform, axis by axis.
inline void transform(Layout const& layout, std::vector<WideComplex>& data) {
  auto stride = static_cast<Index>(data.size());
  for (std::size_t axis = 0; axis < layout.axes.size(); ++axis) {
    Index const n = layout.axes[axis].n;
    Index const outer = static_cast<Index>(data.size()) / stride;
    stride /= n;
    int const kind = layout.kind == Kind::r2r ? layout.kinds[axis] : -1;
    int const sign = layout.kind == Kind::r2c ? -1 : layout.kind == Kind::c2r ? 1 : layout.sign;
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < stride; ++i) {
        std::vector<WideComplex> x(static_cast<std::size_t>(n));
        for (Index j = 0; j < n; ++j) x[j] = data[(o * n + j) * stride + i];
        std::vector<WideComplex> const y = line(x, kind, sign);
        for (Index j = 0; j < n; ++j) data[(o * n + j) * stride + i] = y[j];
      }
  }
}

/// The whole spectrum that half of one stands for: the rest is its conjugate at the opposite places.
inline std::vector<WideComplex> completed(Layout const& layout, std::vector<WideComplex> const& half) {
  if (layout.axes.empty()) return half;
  std::vector<Index> n;
  for (auto const& axis : layout.axes) n.push_back(axis.n);
  Index total = 1;
  for (Index size : n) total *= size;
  std::vector<WideComplex> whole(static_cast<std::size_t>(total));
  for (Index at = 0; at < total; ++at) {
    Index rest = at, here = 0, there = 0, row = 1;
    for (std::size_t i = n.size(); i-- > 0;) {
      Index const k = rest % n[i];
      rest /= n[i];
      bool const last = i + 1 == n.size();
      here += (last && k > n[i] / 2 ? 0 : k) * row;
      there += (n[i] - k) % n[i] * row;
      row *= last ? n[i] / 2 + 1 : n[i];
    }
    bool const stored = at % n.back() <= n.back() / 2;
    whole[at] = stored ? half[here] : std::conj(half[there]);
  }
  return whole;
}

/// Elements of a side as numbers; `imag` is null where it is real.
inline std::vector<WideComplex> read(std::vector<Place> const& all, Real const* real, Real const* imag) {
  std::vector<WideComplex> values;
  for (Place const& place : all) values.emplace_back(real[place.offset], imag ? imag[place.offset] : Real(0));
  return values;
}

/// What the output must be, element by element in the order of places(layout, true).
inline std::vector<WideComplex> expected(Layout const& layout, std::vector<WideComplex> const& input) {
  Index count = 1, in_each = 1, out_each = 1;
  for (auto const& dim : layout.batch) count *= dim.n;
  if (count == 0) return {};
  in_each = static_cast<Index>(input.size()) / count;
  out_each = static_cast<Index>(places(layout, true).size()) / count;
  std::vector<WideComplex> result;
  for (Index b = 0; b < count; ++b) {
    std::vector<WideComplex> data(input.begin() + b * in_each, input.begin() + (b + 1) * in_each);
    if (layout.kind == Kind::c2r) data = completed(layout, data);
    transform(layout, data);
    if (layout.kind != Kind::r2c || layout.axes.empty()) {
      result.insert(result.end(), data.begin(), data.end());
      continue;
    }
    Index const n = layout.axes.back().n;
    for (Index at = 0; at < static_cast<Index>(data.size()); ++at)
      if (at % n <= n / 2) result.push_back(data[at]);
    EXPECT_EQ(static_cast<Index>(result.size()), (b + 1) * out_each);
  }
  return result;
}

/// The real spectrum of c2r must be one: what has to be its own conjugate is made so, by transforming reals.
inline std::vector<WideComplex> spectrum_of_reals(Layout const& layout, std::mt19937& random) {
  Layout forward = layout;
  forward.kind = Kind::r2c;
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<WideComplex> reals(places(forward, false).size());
  for (auto& value : reals) value = static_cast<Real>(uniform(random));
  return expected(forward, reals);
}

/// Root mean square of the difference over that of what is expected.
inline Wide error(std::vector<WideComplex> const& got, std::vector<WideComplex> const& wanted) {
  Wide difference = 0, norm = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    difference += std::norm(got[i] - wanted[i]);
    norm += std::norm(wanted[i]);
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

}  // namespace skipper::fftw3::testing
