// Boundary values on a GPU: added to f as the first sweep loads it, by a function in that sweep's kernel, so that they
// cost no pass of their own and f stays as it is. The function's text knows the shape; the numbers are in memory of the
// device.
#pragma once

#include <skipper/poisson.h>

#include <string>
#include <vector>

namespace skipper::poisson {

/// The text of on_load (plan/spec_text.h) for a problem, called with the numbers of face_numbers.
std::string add_faces_text(PoissonProblem const& problem);

/// For each axis that is not periodic what its low face adds to f at each of its points, then its high one.
template <class T>
std::vector<T> face_numbers(PoissonProblem const& problem, std::vector<Faces<T>> const& faces);

}  // namespace skipper::poisson
