// What the public Poisson solvers check of a solve's arguments, and pass on.
#pragma once

#include <skipper/poisson.h>

#include "api/elements.h"

namespace skipper {

template <class T>
ExecuteSettings execution(SolveSettings<T> const& settings) {
  return {.workspace = settings.workspace, .stream = settings.stream};
}

inline void demand_arrays(PoissonProblem const& problem, Element f_type, Element phi_type, void const* f,
                          void const* phi) {
  Element const wanted = element_type(problem.precision, problem.complex);
  if (!fits(f_type, wanted)) throw wrong_element("f", f_type, wanted);
  if (!fits(phi_type, wanted)) throw wrong_element("phi", phi_type, wanted);
  if (!f || !phi) throw Error(f ? "phi" : "f", "is a null pointer; give the first element of the array");
}

}  // namespace skipper
