// The discrete Laplacian as a textbook writes it, with ghosts, independent of src/poisson: the reference of the tests.
#pragma once

#include <skipper/poisson.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/uniform.h"

namespace skipper::testing {

inline std::int64_t count(PoissonProblem const& p) {
  std::int64_t n = 1;
  for (PoissonAxis const& axis : p.axes) n *= axis.size;
  return n;
}

/// Grid spacing by counting the nodes or cells between the ends.
inline double step(PoissonAxis const& a) {
  if (a.centring == Centring::cell || a.low == Boundary::periodic) return a.length / double(a.size);
  int const dirichlet = (a.low == Boundary::dirichlet) + (a.high == Boundary::dirichlet);
  return a.length / double(a.size + dirichlet - 1);
}

/// The value beyond the end: `inside` is next to it, `second` one further in, g what is prescribed, sign -1 at the low
/// end and 1 at the high one.
inline double ghost(PoissonAxis const& a, Boundary side, double inside, double second, double g, int sign) {
  bool const cell = a.centring == Centring::cell;
  if (side == Boundary::dirichlet) return cell ? 2 * g - inside : g;
  return cell ? inside + sign * step(a) * g : second + sign * 2 * step(a) * g;
}

template <class T>
double face_value(std::vector<T> const& values, std::int64_t at) {
  return values.empty() ? 0 : double(values[values.size() == 1 ? 0 : std::size_t(at)]);
}

/// laplace(u) + shift u, of second order on uniform axes.
template <class T>
std::vector<double> laplacian(PoissonProblem const& p, std::vector<T> const& u,
                              std::vector<Faces<T>> const& faces = {}) {
  std::vector<double> result(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) result[i] = p.shift * double(u[i]);
  std::int64_t inner = count(p);
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    PoissonAxis const& axis = p.axes[a];
    std::int64_t const n = axis.size, block = inner;
    inner /= n;
    double const h = step(axis);
    for (std::int64_t at = 0; at < count(p); ++at) {
      std::int64_t const i = at / inner % n, base = at - i * inner, face = at / block * inner + at % inner;
      auto const value = [&](std::int64_t k) { return double(u[std::size_t(base + k * inner)]); };
      bool const periodic = axis.low == Boundary::periodic;
      double const low = faces.empty() ? 0 : face_value(faces[a].low, face);
      double const high = faces.empty() ? 0 : face_value(faces[a].high, face);
      double const before = i > 0      ? value(i - 1)
                            : periodic ? value(n - 1)
                                       : ghost(axis, axis.low, value(0), value(n > 1 ? 1 : 0), low, -1);
      // A ghost at the far end of a one-node axis is read from the other ghost: avoided by the tests.
      double const after = i + 1 < n ? value(i + 1)
                           : periodic
                               ? value(0)
                               : ghost(axis, axis.high, value(n - 1), value(n > 1 ? n - 2 : 0), high, 1);
      result[std::size_t(at)] += (before - 2 * value(i) + after) / (h * h);
    }
  }
  return result;
}

template <class T>
std::vector<T> noise(std::int64_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  Uniform<double> uniform;
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& v : values) v = T(uniform(random));
  return values;
}

template <class A, class B>
double largest_difference(std::vector<A> const& a, std::vector<B> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::fabs(double(a[i]) - double(b[i])));
  return largest;
}

}  // namespace skipper::testing
