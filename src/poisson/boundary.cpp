// See boundary.h. The second-order row next to a boundary reads one value that is not an unknown: the prescribed one,
// or a ghost that the prescribed one determines. What that value contributes is known, so it goes to the right side:
// times the numbers low_end and high_end of the axis' tridiagonal matrix, whether or not the axis is solved by it.
#include "poisson/boundary.h"

#include <cmath>
#include <limits>

#include "base/shortest.h"
#include "poisson/symbols.h"
#include "poisson/tridiagonal.h"

namespace skipper::poisson {
namespace {

Box whole(PoissonProblem const& problem) {
  Box box;
  for (PoissonAxis const& axis : problem.axes) {
    box.first.push_back(0);
    box.size.push_back(axis.size);
  }
  return box;
}

Index face_points(Box const& box, std::size_t axis) {
  Index count = 1;
  for (std::size_t i = 0; i < box.size.size(); ++i)
    if (i != axis) count *= box.size[i];
  return count;
}

template <class T>
bool check_side(PoissonProblem const& problem, Box const& box, std::size_t at, std::vector<T> const& values,
                bool low) {
  if (values.empty()) return false;
  PoissonAxis const& axis = problem.axes[at];
  std::string const side = "faces[" + std::to_string(at) + "]" + (low ? ".low" : ".high");
  if (axis.low == Boundary::periodic)
    throw Error(side, "has values but the axis is periodic; leave it empty");
  if (problem.symbols == Symbols::spectral && !is_tridiagonal(axis))
    throw Error(
        side,
        "has values but the symbols are spectral; use second-order ones, or solve for the difference to a "
        "function that meets the boundary values");
  Index const count = face_points(box, at);
  if (values.size() != 1 && static_cast<Index>(values.size()) != count)
    throw Error(side, "has " + std::to_string(values.size()) + " values; give none, one, or the " +
                          std::to_string(count) + " of the face");
  return true;
}

/// What an unknown counts for in a mean.
std::vector<double> weights(PoissonAxis const& axis) {
  if (axis.low == Boundary::periodic) return std::vector<double>(static_cast<std::size_t>(axis.size), 1);
  return tridiagonal(axis).widths;
}

}  // namespace

template <class T>
bool any_values(PoissonProblem const& problem, std::vector<Faces<T>> const& faces) {
  return any_values(problem, whole(problem), faces);
}

template <class T>
bool any_values(PoissonProblem const& problem, Box const& box, std::vector<Faces<T>> const& faces) {
  if (faces.empty()) return false;
  if (faces.size() != problem.axes.size())
    throw Error("faces", "has " + std::to_string(faces.size()) + " entries for " +
                             std::to_string(problem.axes.size()) + " axes; give one for each, or none");
  bool any = false;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    any |= check_side(problem, box, i, faces[i].low, true);
    any |= check_side(problem, box, i, faces[i].high, false);
  }
  return any;
}

template <class T>
void add_boundary_values(PoissonProblem const& problem, std::vector<Faces<T>> const& faces, T* f) {
  add_boundary_values(problem, whole(problem), faces, f);
}

template <class T>
void add_boundary_values(PoissonProblem const& problem, Box const& box, std::vector<Faces<T>> const& faces,
                         T* f) {
  for (FaceLayer<T> const& layer : face_layers(problem, box, faces))
    for (Index o = 0; o < layer.outer; ++o)
      for (Index j = 0; j < layer.inner; ++j)
        f[layer.first + o * layer.pitch + j] += layer.values[static_cast<std::size_t>(o * layer.inner + j)];
}

template <class T>
std::vector<FaceLayer<T>> face_layers(PoissonProblem const& problem, Box const& box,
                                      std::vector<Faces<T>> const& faces) {
  std::vector<FaceLayer<T>> all;
  Index inner = face_points(box, problem.axes.size());
  if (inner == 0) return all;
  Index outer = 1;
  for (std::size_t a = 0; a < faces.size(); ++a) {
    Index const n = box.size[a];
    inner /= n;
    auto const add = [&](std::vector<T> const& values, Index row, double factor) {
      if (values.empty()) return;
      FaceLayer<T> layer{row * inner, outer, inner, n * inner, {}};
      layer.values.reserve(static_cast<std::size_t>(outer * inner));
      for (Index i = 0; i < outer * inner; ++i)
        layer.values.push_back(
            T(factor * double(values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)])));
      all.push_back(std::move(layer));
    };
    if (problem.axes[a].low != Boundary::periodic) {
      Tridiagonal const matrix = tridiagonal(problem.axes[a]);
      if (box.first[a] == 0) add(faces[a].low, 0, matrix.low_end);
      if (box.first[a] + n == problem.axes[a].size) add(faces[a].high, n - 1, matrix.high_end);
    }
    outer *= n;
  }
  return all;
}

template <class T>
Summary summary(PoissonProblem const& problem, T const* f) {
  return summary(problem, whole(problem), f);
}

template <class T>
Summary summary(PoissonProblem const& problem, Box const& box, T const* f) {
  std::vector<std::vector<double>> by_axis;
  double total = 1;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    std::vector<double> const all = weights(problem.axes[a]);
    double sum = 0;
    for (double const w : all) sum += w;
    total *= sum;
    by_axis.emplace_back(all.begin() + box.first[a], all.begin() + box.first[a] + box.size[a]);
  }
  while (by_axis.size() < 3) by_axis.insert(by_axis.begin(), {1.0});
  Summary result;
  for (double const wz : by_axis[0])
    for (double const wy : by_axis[1]) {
      double row = 0;
      for (double const wx : by_axis[2]) {
        double const value = double(*f++);
        row += wx * value;
        result.largest = std::max(result.largest, std::fabs(value));
      }
      result.mean += wz * wy * row / total;
    }
  return result;
}

void demand_solvable(double mean, double largest, double epsilon) {
  if (std::isfinite(mean) && std::fabs(mean) <= 32 * epsilon * largest) return;
  throw Error(
      "f",
      "has the mean " + rounded(mean) + " after the boundary values, so there is no solution; " +
          (std::isfinite(mean) ? "take it off f, or use the zero mode zero_mean" : "give finite numbers"));
}

template <class T>
void demand_solvable(PoissonProblem const& problem, T const* f) {
  Summary const s = summary(problem, f);
  demand_solvable(s.mean, s.largest, double(std::numeric_limits<T>::epsilon()));
}

template void demand_solvable(PoissonProblem const&, float const*);
template void demand_solvable(PoissonProblem const&, double const*);
template bool any_values(PoissonProblem const&, std::vector<Faces<float>> const&);
template bool any_values(PoissonProblem const&, std::vector<Faces<double>> const&);
template void add_boundary_values(PoissonProblem const&, std::vector<Faces<float>> const&, float*);
template void add_boundary_values(PoissonProblem const&, std::vector<Faces<double>> const&, double*);
template bool any_values(PoissonProblem const&, Box const&, std::vector<Faces<float>> const&);
template bool any_values(PoissonProblem const&, Box const&, std::vector<Faces<double>> const&);
template void add_boundary_values(PoissonProblem const&, Box const&, std::vector<Faces<float>> const&,
                                  float*);
template void add_boundary_values(PoissonProblem const&, Box const&, std::vector<Faces<double>> const&,
                                  double*);
template std::vector<FaceLayer<float>> face_layers(PoissonProblem const&, Box const&,
                                                   std::vector<Faces<float>> const&);
template std::vector<FaceLayer<double>> face_layers(PoissonProblem const&, Box const&,
                                                    std::vector<Faces<double>> const&);
template Summary summary(PoissonProblem const&, float const*);
template Summary summary(PoissonProblem const&, double const*);
template Summary summary(PoissonProblem const&, Box const&, float const*);
template Summary summary(PoissonProblem const&, Box const&, double const*);

}  // namespace skipper::poisson
