#pragma once
// Poisson problems of all sorts for tests, with right sides and boundary values, and the parts of these that ranks have.
#include <skipper/distributed_poisson.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "distributed/box.h"
#include "support/uniform.h"

namespace skipper::testing {

inline std::vector<Index> sizes_of(PoissonProblem const& p) {
  std::vector<Index> sizes;
  for (PoissonAxis const& axis : p.axes) sizes.push_back(axis.size);
  return sizes;
}

/// use(place in the box, place in the dense array) for every element of a box.
template <class Use>
void each_element(Box const& box, std::vector<Index> const& sizes, Use use) {
  std::vector<Index> const dense = dense_strides(sizes);
  for (Index i = 0, all = distributed::volume(box); i < all; ++i) {
    Index rest = i, at = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      at += (box.first[d] + rest % box.size[d]) * dense[d];
      rest /= box.size[d];
    }
    use(std::size_t(i), std::size_t(at));
  }
}

/// The values of a face that lie beside a box.
template <class T>
std::vector<T> beside(std::vector<T> const& face, std::vector<Index> sizes, Box box, std::size_t axis) {
  if (face.size() < 2) return face;
  sizes[axis] = 1;
  if (distributed::is_empty(box)) return {};
  box.first[axis] = 0;
  box.size[axis] = 1;
  std::vector<T> part(static_cast<std::size_t>(distributed::volume(box)));
  each_element(box, sizes, [&](std::size_t here, std::size_t there) { part[here] = face[there]; });
  return part;
}

template <class T>
struct Input {
  std::vector<T> f;
  std::vector<Faces<T>> faces;
};

template <class T>
Input<T> random_input(PoissonProblem const& p, std::mt19937& random, bool with_faces) {
  Uniform<double> value;
  Input<T> input;
  std::vector<Index> const sizes = sizes_of(p);
  Index const all = distributed::volume(distributed::whole_box(sizes));
  for (Index i = 0; i < all; ++i) input.f.push_back(T(value(random)));
  if (!with_faces) return input;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    Faces<T> faces;
    for (auto* side : {&faces.low, &faces.high}) {
      if (p.axes[a].low == Boundary::periodic) continue;
      std::size_t const points[] = {0, 1, std::size_t(all / sizes[a])};
      for (std::size_t i = 0, n = points[random() % 3]; i < n; ++i) side->push_back(T(value(random)));
    }
    input.faces.push_back(faces);
  }
  return input;
}

inline PoissonAxis axis(Index n, Boundary low, Boundary high, Centring centring = Centring::cell,
                        bool tridiagonal = false) {
  return {n, 1.0 + 0.1 * double(n), low, high, centring, tridiagonal, {}};
}

/// Faces of cells, or nodes, that are not equally far apart.
inline PoissonAxis stretched(PoissonAxis axis) {
  Index const ends = Index(axis.low == Boundary::dirichlet) + Index(axis.high == Boundary::dirichlet);
  Index const count = axis.size + (axis.centring == Centring::cell ? 1 : ends);
  for (Index i = 0; i < count; ++i) axis.coordinates.push_back(double(i) + 0.3 * std::sin(double(i)));
  return axis;
}

inline PoissonAxis random_axis(std::mt19937& random, bool may_sweep) {
  Boundary const sides[] = {Boundary::neumann, Boundary::dirichlet};
  PoissonAxis found = axis(2 + Index(random() % 12), sides[random() % 2], sides[random() % 2],
                           random() % 2 ? Centring::cell : Centring::node);
  if (random() % 3 == 0) found.low = found.high = Boundary::periodic;
  if (found.low == Boundary::periodic || !may_sweep || random() % 2) return found;
  if (random() % 2) return stretched(found);
  found.tridiagonal = true;
  return found;
}

inline PoissonProblem random_problem(std::mt19937& random) {
  PoissonProblem p;
  std::size_t const dims = 1 + random() % 3, swept = random() % 4;
  for (std::size_t a = 0; a < dims; ++a) p.axes.push_back(random_axis(random, a == swept));
  p.precision = random() % 2 ? Precision::f32 : Precision::f64;
  p.shift = random() % 3 ? 0 : -0.7;
  p.symbols = random() % 4 ? Symbols::second_order : Symbols::spectral;
  p.zero_mode = random() % 2 ? ZeroMode::pin : ZeroMode::zero_mean;
  return p;
}

inline std::string text_of(PoissonProblem const& p) {
  std::string all = p.precision == Precision::f64 ? "f64" : "f32";
  for (PoissonAxis const& a : p.axes)
    all += " " + std::to_string(a.size) + " " + std::string(name(a.low)) + "-" + std::string(name(a.high)) +
           (a.centring == Centring::node ? " node" : "") + (a.tridiagonal ? " tridiagonal" : "") +
           (a.coordinates.empty() ? "" : " stretched");
  return all;
}

inline std::vector<Box> random_bricks(std::vector<Index> const& sizes, int ranks, std::mt19937& random) {
  std::vector<int> parts(sizes.size(), 1);
  int left = ranks;
  for (int& part : parts) {
    part = 1 + int(random() % unsigned(left));
    left /= part;
  }
  std::vector<Box> boxes = bricks(sizes, parts, ranks);
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

/// Cells between sides that are alike, by the digits of `mix`; one axis may be swept.
inline PoissonProblem mixed(std::vector<Index> const& sizes, int mix, int swept) {
  Boundary const sides[] = {Boundary::periodic, Boundary::neumann, Boundary::dirichlet};
  PoissonProblem p;
  for (int a = 0; a < int(sizes.size()); ++a, mix /= 3) {
    Boundary const side = sides[mix % 3];
    p.axes.push_back(
        axis(sizes[std::size_t(a)], side, side, Centring::cell, a == swept && side != Boundary::periodic));
  }
  return p;
}

}  // namespace skipper::testing
