// Whether a solution of Poisson's equation is right: by the equation itself, a row of differences at each point, and by modes, whose
// part in the solution is their part in the right side over their eigenvalue.
#pragma once

#include <skipper/poisson.h>

#include <vector>

namespace skipper::reference {

/// Each is what was found over what rounding may do; beyond 1 something is wrong.
struct PoissonCheck {
  double equation = 0;  // at any point; 0 where symbols are spectral
  double modes = 0;     // of those that were looked at; 0 where an axis is stretched
  double mean = 0;      // of phi where it is determined up to a constant, or its first point
  bool good() const { return equation <= 1 && modes <= 1 && mean <= 1; }
};

/// `f` and the values on `faces` are what was solved for, `phi` and `defect` what came of it. No axis may be stretched where
/// symbols are spectral. T is float or double.
template <class T>
PoissonCheck poisson_check(PoissonProblem const& problem, T const* f, std::vector<Faces<T>> const& faces,
                           T const* phi, double defect);

}  // namespace skipper::reference
