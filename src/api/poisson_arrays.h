// What the public Poisson solvers check of a solve's arguments, and pass on.
#pragma once

#include <skipper/poisson.h>

#include "api/arrays.h"
#include "api/elements.h"

namespace skipper {

template <class T>
ExecuteSettings execution(SolveSettings<T> const& settings) {
  return {.workspace_bytes = settings.workspace_bytes,
          .workspace = settings.workspace,
          .stream = settings.stream};
}

inline void demand_arrays(PoissonProblem const& problem, Element f_type, Element phi_type, void const* f,
                          void const* phi) {
  Element const wanted = element_type(problem.precision, problem.complex);
  if (!fits(f_type, wanted)) throw wrong_element("f", f_type, wanted);
  if (!fits(phi_type, wanted)) throw wrong_element("phi", phi_type, wanted, "writes");
  if (!f || !phi) throw Error(f ? "phi" : "f", "is a null pointer; give the first element of the array");
  if (f == phi) return;
  std::int64_t bytes = (problem.precision == Precision::f64 ? 8 : 4) * (problem.complex ? 2 : 1);
  for (PoissonAxis const& axis : problem.axes) bytes *= axis.size;
  demand_apart(f, phi, {bytes, bytes}, "f", "phi", ", or f itself");
}

}  // namespace skipper
