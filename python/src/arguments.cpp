// SciPy's rules for norm, type, n and s, axis and axes, workers.
#include "arguments.h"

#include <skipper/error.h>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <thread>

namespace skipper::python {
namespace {

[[noreturn]] void fail(PyObject* type, std::string const& message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

bool equals(nb::handle text, char const* word) {
  return PyUnicode_CompareWithASCIIString(text.ptr(), word) == 0;
}

std::string representation(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

Scaling scaling_of(nb::handle norm) {
  if (norm.is_none()) return Scaling::backward;
  if (PyUnicode_Check(norm.ptr())) {
    if (equals(norm, "backward")) return Scaling::backward;
    if (equals(norm, "ortho")) return Scaling::ortho;
    if (equals(norm, "forward")) return Scaling::forward;
  }
  fail(PyExc_ValueError,
       "Invalid norm value " + representation(norm) + "; should be \"backward\", \"ortho\" or \"forward\".");
}

AxisKind trigonometric_kind(Function function, nb::handle type) {
  std::int64_t number = integer(type);
  if (number < 1 || number > 4)
    fail(PyExc_ValueError, "type is " + std::to_string(number) + "; it must be 1, 2, 3 or 4");
  bool const inverse = function == Function::idct || function == Function::idst;
  if (inverse && (number == 2 || number == 3)) number = 5 - number;
  bool const sine = function == Function::dst || function == Function::idst;
  int const first = static_cast<int>(sine ? AxisKind::dst1 : AxisKind::dct1);
  return static_cast<AxisKind>(first + number - 1);
}

void check_size(std::int64_t size) {
  if (size < 1)
    fail(PyExc_ValueError, "invalid number of data points (" + std::to_string(size) + ") specified");
}

// Whether an axis is one of `rank`; negative ones are counted from the last.
bool set_axis(std::int64_t axis, int rank, int& index) {
  if (axis < -rank || axis >= rank) return false;
  index = static_cast<int>(axis < 0 ? axis + rank : axis);
  return true;
}

// An integer, or a sequence of at most max_dims of them.
int integers(nb::handle value, char const* name, Sizes& out) {
  if (PyLong_Check(value.ptr()) || !PySequence_Check(value.ptr())) {
    if (!PyIndex_Check(value.ptr())) {
      PyObject* const iterator = PyObject_GetIter(value.ptr());
      if (!iterator) {
        PyErr_Clear();
        fail(PyExc_ValueError, std::string(name) + " must be a scalar or iterable of integers");
      }
      nb::object const list = nb::steal(PySequence_List(iterator));
      Py_DECREF(iterator);
      return integers(list, name, out);
    }
    out[0] = integer(value);
    return 1;
  }
  Py_ssize_t const count = PySequence_Size(value.ptr());
  if (count < 0) throw nb::python_error();
  if (count > max_dims) fail(PyExc_ValueError, std::string(name) + " has more than 64 entries");
  for (Py_ssize_t i = 0; i < count; ++i) {
    nb::object const item = nb::steal(PySequence_GetItem(value.ptr(), i));
    if (!item.is_valid()) throw nb::python_error();
    if (!PyIndex_Check(item.ptr()))
      fail(PyExc_ValueError, std::string(name) + " must be a scalar or iterable of integers");
    out[static_cast<std::size_t>(i)] = integer(item);
  }
  return static_cast<int>(count);
}

bool halves_input(Function function) { return function == Function::irfft || function == Function::hfft; }

Axes one_axis(Call const& call, Layout const& in) {
  Axes axes;
  axes.count = 1;
  Py_ssize_t const axis = PyNumber_AsSsize_t(call.axis.ptr(), PyExc_IndexError);
  if (axis == -1 && PyErr_Occurred()) throw nb::python_error();
  if (!set_axis(axis, in.rank, axes.index[0]))
    fail(PyExc_IndexError, "axis " + std::to_string(axis) + " is beyond the array, which has " +
                               std::to_string(in.rank) + " dimensions");
  std::int64_t const length = in.shape[axes.index[0]];
  bool const halves = halves_input(call.function);
  axes.sizes[0] = !call.size.is_none() ? integer(call.size) : halves ? 2 * (length - 1) : length;
  // SciPy takes a given 0 for the length that one number stands for.
  if (halves && axes.sizes[0] == 0 && !call.size.is_none()) axes.sizes[0] = 1;
  check_size(axes.sizes[0]);
  return axes;
}

Axes many_axes(Call const& call, Layout const& in) {
  Axes axes;
  bool const has_axes = !call.axis.is_none();
  bool has_sizes = !call.size.is_none();
  if (has_axes) {
    Sizes given;
    axes.count = integers(call.axis, "axes", given);
    for (int a = 0; a < axes.count; ++a) {
      if (!set_axis(given[a], in.rank, axes.index[a]))
        fail(PyExc_ValueError, "axes exceeds dimensionality of input");
      if (std::find(axes.index.begin(), axes.index.begin() + a, axes.index[a]) != axes.index.begin() + a)
        fail(PyExc_ValueError, "all axes must be unique");
    }
  }
  if (has_axes && axes.count == 0) has_sizes = false;  // SciPy does not look at s then
  if (has_sizes) {
    int const count = integers(call.size, "shape", axes.sizes);
    if (has_axes && count != axes.count)
      fail(PyExc_ValueError, "when given, axes and shape arguments have to be of the same length");
    if (!has_axes && count > in.rank) fail(PyExc_ValueError, "shape requires more axes than are present");
    if (!has_axes)
      for (int a = 0; a < count; ++a) axes.index[a] = in.rank - count + a;
    axes.count = count;
  } else if (!has_axes) {
    axes.count = in.rank;
    for (int a = 0; a < in.rank; ++a) axes.index[a] = a;
  }
  for (int a = 0; a < axes.count; ++a)
    if (!has_sizes || axes.sizes[a] == -1) axes.sizes[a] = in.shape[axes.index[a]];
  if (axes.count && !has_sizes && halves_input(call.function)) {
    std::int64_t& last = axes.sizes[axes.count - 1];
    last = last == 1 ? 1 : 2 * (last - 1);  // one number stands for one, as in SciPy
  }
  for (int a = 0; a < axes.count; ++a) check_size(axes.sizes[a]);
  bool const halves =
      halves_input(call.function) || call.function == Function::rfft || call.function == Function::ihfft;
  if (axes.count == 0 && halves) fail(PyExc_ValueError, "at least 1 axis must be transformed");
  return axes;
}

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

thread_local int default_threads = 1;

}  // namespace

bool is_trigonometric(Function function) { return function >= Function::dct; }
bool conjugates_input(Function function) { return function == Function::hfft; }
bool conjugates_output(Function function) { return function == Function::ihfft; }

std::int64_t integer(nb::handle value) {
  if (PyLong_Check(value.ptr())) {
    std::int64_t const result = PyLong_AsLongLong(value.ptr());
    if (result == -1 && PyErr_Occurred()) throw nb::python_error();
    return result;
  }
  nb::object const index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  return integer(index);
}

Operation operation_of(Call const& call) {
  Operation operation;
  operation.scaling = scaling_of(call.norm);
  switch (call.function) {
    case Function::fft:
      break;
    case Function::ifft:
      operation.inverse = true;
      break;
    case Function::rfft:
      operation.kind = Kind::r2c;
      break;
    case Function::ihfft:
      operation.kind = Kind::r2c, operation.inverse = true;
      break;
    case Function::irfft:
      operation.kind = Kind::c2r, operation.inverse = true;
      break;
    case Function::hfft:
      operation.kind = Kind::c2r;
      break;
    case Function::idct:
    case Function::idst:
      operation.inverse = true;
      [[fallthrough]];
    case Function::dct:
    case Function::dst:
      operation.kind = Kind::r2r;
      operation.axis_kind = trigonometric_kind(call.function, call.type);
      operation.orthogonalize = call.orthogonalize.is_none() ? operation.scaling == Scaling::ortho
                                                             : PyObject_IsTrue(call.orthogonalize.ptr()) == 1;
  }
  return operation;
}

Axes axes_of(Call const& call, Layout const& in) {
  Axes axes = call.many ? many_axes(call, in) : one_axis(call, in);
  if (is_trigonometric(call.function) && integer(call.type) == 1 &&
      (call.function == Function::dct || call.function == Function::idct))
    for (int a = 0; a < axes.count; ++a)
      if (axes.sizes[a] < 2)
        throw Error("n", "is " + std::to_string(axes.sizes[a]) +
                             ", but a DCT-I takes at least 2 points; give more, or another type");
  return axes;
}

int threads_of(nb::handle workers) {
  if (workers.is_none()) return default_threads;
  std::int64_t count = integer(workers);
  if (count < 0) {
    if (count < -cores())
      fail(PyExc_ValueError, "workers value out of range; got " + std::to_string(count) +
                                 ", must not be less than " + std::to_string(-cores()));
    count += 1 + cores();
  } else if (count == 0) {
    fail(PyExc_ValueError, "workers must not be zero");
  }
  return static_cast<int>(std::min<std::int64_t>(count, 4096));
}

void bind_workers(nb::module_& m) {
  m.def("threads_of", &threads_of, nb::arg("workers").none(), "How many threads `workers` stands for.");
  m.def("set_default_threads", [](int threads) {
    int const before = default_threads;
    default_threads = threads;
    return before;
  });
}

}  // namespace skipper::python
