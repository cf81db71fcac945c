// Finds NumPy's table of functions, and makes arrays.
#define SKIPPER_LOADS_NUMPY
#include "numpy.h"

#include <nanobind/nanobind.h>

namespace skipper::python {
namespace {

constexpr npy_intp cache_line = 64;
// Below, a second object costs more than aligned stores save.
constexpr npy_intp least_aligned_bytes = 16384;

// False where the product is beyond npy_intp: NumPy says so by itself.
bool multiply(npy_intp& bytes, int rank, npy_intp const* shape) {
  for (int d = 0; d < rank; ++d)
    if (__builtin_mul_overflow(bytes, shape[d], &bytes)) return false;
  return true;
}

}  // namespace

void load_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nanobind::python_error();
}

PyObject* empty_array(int rank, npy_intp const* shape, int type) {
  PyArray_Descr* const element = PyArray_DescrFromType(type);
  if (!element) return nullptr;
  npy_intp bytes = PyDataType_ELSIZE(element);
  if (!multiply(bytes, rank, shape) || bytes < least_aligned_bytes || bytes > NPY_MAX_INTP - cache_line)
    return PyArray_NewFromDescr(&PyArray_Type, element, rank, shape, nullptr, nullptr, 0, nullptr);
  npy_intp const memory_bytes = bytes + cache_line;
  PyObject* const memory = PyArray_SimpleNew(1, &memory_bytes, NPY_UINT8);
  if (!memory) {
    Py_DECREF(element);
    return nullptr;
  }
  char* const begin = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(memory));
  char* const data = begin + (-reinterpret_cast<npy_uintp>(begin) & (cache_line - 1));
  PyObject* const array =
      PyArray_NewFromDescr(&PyArray_Type, element, rank, shape, nullptr, data, NPY_ARRAY_CARRAY, nullptr);
  if (!array) {
    Py_DECREF(memory);
    return nullptr;
  }
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), memory) <
      0) {  // takes the memory, always
    Py_DECREF(array);
    return nullptr;
  }
  return array;
}

}  // namespace skipper::python
