// Boundary values that are not zero, moved to the right side, and means that weigh each unknown by what it stands for.
#pragma once

#include <skipper/distributed.h>
#include <skipper/poisson.h>

#include <vector>

#include "base/index.h"

namespace skipper::poisson {

/// Whether any value is given at all. Throws Error where faces do not fit the problem: their number, their sizes,
/// values on a periodic side, or on a side whose symbols are spectral.
template <class T>
bool any_values(PoissonProblem const& problem, std::vector<Faces<T>> const& faces);

/// The same where faces are those of a box of the array, whether or not it reaches the boundary.
template <class T>
bool any_values(PoissonProblem const& problem, Box const& box, std::vector<Faces<T>> const& faces);

/// f is dense, and gains what the values contribute to the rows next to the boundary.
template <class T>
void add_boundary_values(PoissonProblem const& problem, std::vector<Faces<T>> const& faces, T* f);
template <class T>
void add_boundary_values(PoissonProblem const& problem, Box const& box, std::vector<Faces<T>> const& faces,
                         T* f);

/// What one side of a box contributes: [outer][inner] numbers, for those of f from `first` on, `pitch` from one outer
/// index to the next.
template <class T>
struct FaceLayer {
  Index first = 0, outer = 1, inner = 1, pitch = 1;
  std::vector<T> values;
};
/// Of the sides that have values and that the box reaches.
template <class T>
std::vector<FaceLayer<T>> face_layers(PoissonProblem const& problem, Box const& box,
                                      std::vector<Faces<T>> const& faces);

struct Summary {
  double mean = 0, largest = 0;  // of the values; of their magnitudes
};
template <class T>
Summary summary(PoissonProblem const& problem, T const* f);
/// What a box contributes: means of all boxes add up.
template <class T>
Summary summary(PoissonProblem const& problem, Box const& box, T const* f);

/// Throws Error where a mean is beyond the rounding of numbers up to `largest`.
void demand_solvable(double mean, double largest, double epsilon);

/// Throws Error where f, with the boundary values in it, has a mean beyond rounding.
template <class T>
void demand_solvable(PoissonProblem const& problem, T const* f);

}  // namespace skipper::poisson
