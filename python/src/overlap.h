// Outputs must not lie on inputs: what is written early would be read late, and the numbers be wrong without a word. In place,
// where both are one array, is a plan of its own.
#pragma once

#include <nanobind/nanobind.h>

#include "request.h"

namespace skipper::python {

// The memory of an array, which may be a GPU's.
struct Place {
  void const* data;
  Layout const& layout;
};

// Throws Error where two arrays share an element and do not begin at the same one.
void demand_apart(Place in, Place out);

// Throws Error where NumPy arrays are two mappings of one part of a file.
void demand_other_file(nanobind::handle x, nanobind::handle out);

}  // namespace skipper::python
