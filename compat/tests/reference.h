#pragma once
// What the FFTW interface is tested against: the definitions of src/reference under FFTW's names, on arrays of any strides with
// complex numbers in two parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "precision.h"
#include "reference/transform.h"

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

/// Between the tests' numbers and those of the reference.
inline std::vector<reference::Fine> fine(std::vector<WideComplex> const& values) {
  auto const wide = [](Wide x) { return DoubleDouble{double(x), double(x - Wide(double(x)))}; };
  std::vector<reference::Fine> result;
  for (WideComplex const& value : values) result.push_back({wide(value.real()), wide(value.imag())});
  return result;
}
inline std::vector<WideComplex> from_fine(std::vector<reference::Fine> const& values) {
  std::vector<WideComplex> result;
  for (auto const& value : values)
    result.emplace_back(Wide(value.re.high) + Wide(value.re.low), Wide(value.im.high) + Wide(value.im.low));
  return result;
}

/// The problem of dense transforms of these sizes.
inline Problem problem_of(Kind kind, std::vector<Index> const& sizes, int sign = -1) {
  Problem problem;
  problem.kind = kind;
  problem.precision = Precision::f64;
  problem.direction =
      kind == Kind::c2r || (kind == Kind::c2c && sign > 0) ? Direction::inverse : Direction::forward;
  for (Index const n : sizes) problem.axes.emplace_back().size = n;
  return problem;
}

/// Lines of n reals, one after the other, transformed; `kind` as FFTW numbers them.
inline std::vector<reference::Fine> real_lines(std::vector<reference::Fine> const& x, Index n, int kind) {
  Index const lines = static_cast<Index>(x.size()) / n, half = n / 2 + 1;
  std::vector<reference::Fine> result;
  if (kind == FFTW_R2HC) {  // real parts, then imaginary parts backwards
    auto const spectra = reference::transformed(problem_of(Kind::r2c, {n}), x);
    for (Index i = 0; i < lines * n; ++i) {
      Index const k = i % n;
      auto const& value = spectra[i / n * half + std::min(k, n - k)];
      result.push_back({2 * k <= n ? value.re : value.im});
    }
    return result;
  }
  if (kind == FFTW_HC2R) {
    for (Index i = 0; i < lines * half; ++i) {
      Index const k = i % half, first = i / half * n;
      bool const is_real = k == 0 || 2 * k == n;
      result.push_back({x[first + k].re, is_real ? DoubleDouble(0.0) : x[first + n - k].re});
    }
    return reference::transformed(problem_of(Kind::c2r, {n}), result);
  }
  Problem problem = problem_of(Kind::r2r, {n});
  while (facts(problem.axes[0].kind).fftw != kind)
    problem.axes[0].kind = static_cast<AxisKind>(static_cast<int>(problem.axes[0].kind) + 1);
  return reference::transformed(problem, x);
}

/// Dense real transforms, axis by axis.
inline std::vector<reference::Fine> real_transforms(Layout const& layout, std::vector<reference::Fine> x) {
  Index inner = 1;
  for (std::size_t axis = layout.axes.size(); axis-- > 0; inner *= layout.axes[axis].n) {
    Index const n = layout.axes[axis].n, count = static_cast<Index>(x.size());
    // Element j of line (o, i) is at [o][j][i].
    auto const at = [&](Index o, Index i, Index j) { return (o * n + j) * inner + i; };
    std::vector<reference::Fine> lines(x.size());
    for (Index e = 0; e < count; ++e) lines[e] = x[at(e / n / inner, e / n % inner, e % n)];
    lines = real_lines(lines, n, layout.kinds[axis]);
    for (Index e = 0; e < count; ++e) x[at(e / n / inner, e / n % inner, e % n)] = lines[e];
  }
  return x;
}

/// Elements of a side as numbers; `imag` is null where it is real.
inline std::vector<WideComplex> read(std::vector<Place> const& all, Real const* real, Real const* imag) {
  std::vector<WideComplex> values;
  for (Place const& place : all) values.emplace_back(real[place.offset], imag ? imag[place.offset] : Real(0));
  return values;
}

/// What the output must be, element by element in the order of places(layout, true).
inline std::vector<WideComplex> expected(Layout const& layout, std::vector<WideComplex> const& input) {
  if (layout.axes.empty() || input.empty()) return input;
  if (layout.kind == Kind::r2r) return from_fine(real_transforms(layout, fine(input)));
  std::vector<Index> sizes;
  for (auto const& axis : layout.axes) sizes.push_back(axis.n);
  return from_fine(reference::transformed(problem_of(layout.kind, sizes, layout.sign), fine(input)));
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
