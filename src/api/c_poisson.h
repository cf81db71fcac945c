// What both C interfaces to Poisson solvers share: problems by their fields, and values on boundaries.
#pragma once

#include <skipper/poisson.h>

#include <cstdint>
#include <vector>

#include "api/c_problem.h"
#include "api/guarded.h"

namespace skipper::c {

PoissonProblem poisson_of(skipper_poisson_problem const* given);

/// Values for the points of each face of a box of these sizes; null pointers are none.
template <class T>
std::vector<Faces<T>> faces_of(std::vector<std::int64_t> const& sizes, void const* const* low,
                               void const* const* high) {
  std::vector<Faces<T>> faces;
  for (std::size_t a = 0; a < sizes.size() && (low || high); ++a) {
    std::int64_t points = 1;
    for (std::size_t b = 0; b < sizes.size(); ++b) points *= b == a ? 1 : sizes[b];
    auto const side = [&](void const* const* given) {
      T const* const values = given ? static_cast<T const*>(given[a]) : nullptr;
      return values ? std::vector<T>(values, values + points) : std::vector<T>();
    };
    faces.push_back({side(low), side(high)});
  }
  return faces;
}

/// Solves in the precision of the problem, on a box of these sizes, and returns the defect.
template <class T, class Solver>
double solved_in(Solver const& solver, std::vector<std::int64_t> const& sizes, void const* f, void* phi,
                 skipper_solve_settings const& given) {
  SolveSettings<T> const settings = {.faces = faces_of<T>(sizes, given.low, given.high),
                                     .workspace_bytes = size_of(given.workspace_bytes),
                                     .workspace = given.workspace,
                                     .stream = given.stream};
  return solver.solve(static_cast<T const*>(f), static_cast<T*>(phi), settings).defect;
}
template <class Solver>
double solved(Solver const& solver, std::vector<std::int64_t> const& sizes, void const* f, void* phi,
              skipper_solve_settings const* given) {
  skipper_solve_settings const settings = given ? *given : skipper_solve_settings{};
  return solver.problem().precision == Precision::f64 ? solved_in<double>(solver, sizes, f, phi, settings)
                                                      : solved_in<float>(solver, sizes, f, phi, settings);
}

inline void hand_out(double value, double* place) {
  if (place) *place = value;
}

}  // namespace skipper::c
