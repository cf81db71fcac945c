// Finds NumPy's table of functions.
#define SKIPPER_LOADS_NUMPY
#include "numpy.h"

#include <nanobind/nanobind.h>

namespace skipper::python {

void load_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nanobind::python_error();
}

}  // namespace skipper::python
