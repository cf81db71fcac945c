// NumPy's C interface. It is a table of functions that load_numpy() finds once, for all files.
#pragma once

#include <Python.h>

#define PY_ARRAY_UNIQUE_SYMBOL skipper_numpy
#ifndef SKIPPER_LOADS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <nanobind/nanobind.h>
#include <numpy/arrayobject.h>

namespace skipper::python {

inline PyArrayObject* as_array(nanobind::handle object) {
  return reinterpret_cast<PyArrayObject*>(object.ptr());
}

// Throws Python's exception where NumPy cannot be imported.
void load_numpy();

// A new array with nothing in it, row-major; null, with Python's exception set, where there is no memory. It begins on a
// cache line unless it is small: a vector that straddles two lines is stored in two steps, and NumPy's own arrays begin
// at any multiple of 16 bytes.
PyObject* empty_array(int rank, npy_intp const* shape, int type);

}  // namespace skipper::python
