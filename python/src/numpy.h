// NumPy's C interface. It is a table of functions that load_numpy() finds once, for all files.
#pragma once

#include <Python.h>

#define PY_ARRAY_UNIQUE_SYMBOL skipper_numpy
#ifndef SKIPPER_LOADS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

namespace skipper::python {

// Throws Python's exception where NumPy cannot be imported.
void load_numpy();

}  // namespace skipper::python
