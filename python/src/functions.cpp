// The functions of skipper.fft on NumPy arrays, from the array to its transform: element types, layout, plan, execution. What
// is not a NumPy array of a type that Skipper computes with is handed to Python (skipper/_dispatch.py), and comes back as one,
// or as the layout of an array of another library (`prepare`, `execute`).
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "arguments.h"
#include "bindings.h"
#include "cache.h"
#include "gil.h"
#include "mirror.h"
#include "numpy.h"
#include "run.h"

namespace skipper::python {
namespace {

// Python's function for everything else. It lives as long as the process.
PyObject* other_arrays = nullptr;

int type_number(Scalar scalar) {
  switch (scalar) {
    case Scalar::float16:
      return NPY_HALF;
    case Scalar::float32:
      return NPY_FLOAT;
    case Scalar::float64:
      return NPY_DOUBLE;
    case Scalar::complex64:
      return NPY_CFLOAT;
    default:
      return NPY_CDOUBLE;
  }
}

bool computes_with(PyArrayObject* array, Scalar& scalar) {
  if (!PyArray_ISBEHAVED_RO(array)) return false;
  switch (PyArray_TYPE(array)) {
    case NPY_FLOAT:
      scalar = Scalar::float32;
      return true;
    case NPY_DOUBLE:
      scalar = Scalar::float64;
      return true;
    case NPY_CFLOAT:
      scalar = Scalar::complex64;
      return true;
    case NPY_CDOUBLE:
      scalar = Scalar::complex128;
      return true;
    default:
      return false;
  }
}

nb::object checked(PyObject* made) {
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

// False where a stride is negative or no multiple of an element, or where an element is repeated.
bool read_layout(PyArrayObject* array, Layout& layout) {
  layout.rank = PyArray_NDIM(array);
  std::int64_t const bytes = bytes_of(layout.scalar);
  bool const empty = PyArray_SIZE(array) == 0;  // then strides are 0 too
  for (int d = 0; d < layout.rank; ++d) {
    layout.shape[d] = PyArray_DIM(array, d);
    npy_intp const stride = PyArray_STRIDE(array, d);
    bool const repeats = stride == 0 && !empty;
    if (layout.shape[d] > 1 && (stride < 0 || repeats || stride % bytes != 0)) return false;
    layout.strides[d] = layout.shape[d] > 1 ? stride / bytes : 0;
  }
  return true;
}

// The array without its class: results of subclasses, mapped files and masked arrays are plain arrays, also in place.
nb::object plain(nb::handle x) {
  if (PyArray_CheckExact(x.ptr())) return nb::borrow(x);
  return checked(PyArray_View(as_array(x), nullptr, &PyArray_Type));
}

nb::object new_array(Layout const& layout, bool zeros = false) {
  npy_intp shape[max_dims];
  std::copy_n(layout.shape.begin(), layout.rank, shape);
  int const type = type_number(layout.scalar);
  return checked(zeros ? PyArray_ZEROS(layout.rank, shape, type, 0) : empty_array(layout.rank, shape, type));
}

template <class T>
void conjugate(void* data, std::int64_t count) {
  T* const parts = static_cast<T*>(data);
  for (std::int64_t i = 0; i < count; ++i) parts[2 * i + 1] = -parts[2 * i + 1];
}

void conjugate(PyArrayObject* array, Scalar scalar) {
  std::int64_t const count = PyArray_SIZE(array);
  if (scalar == Scalar::complex64)
    conjugate<float>(PyArray_DATA(array), count);
  else
    conjugate<double>(PyArray_DATA(array), count);
}

// The array in the type that the function takes, with whether it is ours to write into.
struct Input {
  nb::object array;
  bool is_ours = false;
};

Input input_for(Function function, nb::handle x, Scalar& scalar) {
  Input input{nb::borrow(x), false};
  bool const complex_input = function == Function::fft || function == Function::ifft ||
                             function == Function::irfft || function == Function::hfft;
  if ((function == Function::rfft || function == Function::ihfft) && is_complex(scalar))
    throw nb::type_error("x must be a real sequence");
  if (complex_input && !is_complex(scalar)) {
    scalar = complex_of(scalar);
    PyArray_Descr* const type = PyArray_DescrFromType(type_number(scalar));
    input = {checked(PyArray_CastToType(as_array(x), type, 0)), true};
  }
  if (conjugates_input(function)) {
    if (!input.is_ours) input = {checked(PyArray_NewCopy(as_array(x), NPY_CORDER)), true};
    conjugate(as_array(input.array), scalar);
  }
  return input;
}

// An array whose strides Skipper can take, itself where it can.
void make_readable(Input& input, Layout& layout) {
  if (read_layout(as_array(input.array), layout)) return;
  input = {checked(PyArray_NewCopy(as_array(input.array), NPY_CORDER)), true};
  read_layout(as_array(input.array), layout);
}

// fft and ifft of reals: half the work of complex numbers.
nb::object transform_reals(Call const& call, nb::handle x, Scalar scalar) {
  Request request;
  request.operation = operation_of(call);
  request.threads = threads_of(call.workers);
  request.in.scalar = scalar;
  Input input{nb::borrow(x), false};
  make_readable(input, request.in);
  request.axes = axes_of(call, request.in);
  if (request.axes.count == 0) return nb::borrow(x);
  Layout whole;
  make_half(request, whole);
  if (is_empty(request.in) || is_empty(whole)) return new_array(whole, true);
  nb::object out = new_array(whole);
  void* const data = PyArray_DATA(as_array(out));
  run(planned(request), PyArray_DATA(as_array(input.array)), data, {input.array, out});
  std::optional<ReleasedGil> released;
  if (elements(whole) > 4096) released.emplace();
  mirror(data, whole, request.axes, request.operation.inverse);
  released.reset();
  return out;
}

nb::object transform_numpy(Call const& call, nb::handle x, bool overwrite, Scalar scalar) {
  Request request;
  request.operation = operation_of(call);
  request.threads = threads_of(call.workers);
  Input input = input_for(call.function, x, scalar);
  request.in.scalar = scalar;
  make_readable(input, request.in);
  request.axes = axes_of(call, request.in);
  if (request.axes.count == 0) return nb::borrow(x);
  set_output(request);
  if (is_empty(request.in) || is_empty(request.out)) return new_array(request.out, true);
  PyArrayObject* const in = as_array(input.array);
  bool const same = request.out.scalar == request.in.scalar && PyArray_IS_C_CONTIGUOUS(in) &&
                    PyArray_ISWRITEABLE(in) &&
                    std::equal(request.in.shape.begin(), request.in.shape.begin() + request.in.rank,
                               request.out.shape.begin());
  if (same && (overwrite || input.is_ours)) {
    request.place = OutputPlace::in_place;
    set_output(request);
    set_dense(request.in), set_dense(request.out);
    run(planned(request), PyArray_DATA(in), PyArray_DATA(in), {input.array, input.array});
    return input.array;
  }
  nb::object out = new_array(request.out);
  run(planned(request), PyArray_DATA(in), PyArray_DATA(as_array(out)), {input.array, out});
  if (conjugates_output(call.function)) conjugate(as_array(out), request.out.scalar);
  return out;
}

void refuse_plan(nb::handle plan) {
  if (plan.is_none()) return;
  PyErr_SetString(
      PyExc_NotImplementedError,
      "plan: functions take no precomputed plan; make a skipper.Plan and call it, or leave plan out");
  throw nb::python_error();
}

nb::object transform(int function, bool many, nb::handle x, nb::handle type, nb::handle size, nb::handle axis,
                     nb::handle norm, nb::handle overwrite_x, nb::handle workers, nb::handle orthogonalize,
                     nb::handle plan) {
  refuse_plan(plan);
  Call const call{static_cast<Function>(function), many, type, size, axis, norm, workers, orthogonalize};
  Scalar scalar;
  bool const complex_output = call.function == Function::fft || call.function == Function::ifft;
  if (PyArray_Check(x.ptr()) && computes_with(as_array(x), scalar)) {
    nb::object const array = plain(x);
    return complex_output && !is_complex(scalar)
               ? transform_reals(call, array, scalar)
               : transform_numpy(call, array, PyObject_IsTrue(overwrite_x.ptr()) == 1, scalar);
  }
  return nb::steal(
      nb::borrow(other_arrays)(function, many, x, type, size, axis, norm, overwrite_x, workers, orthogonalize)
          .release());
}

void read_sizes(nb::handle tuple, Sizes& sizes, int& rank) {
  rank = static_cast<int>(PyTuple_Size(tuple.ptr()));
  if (rank < 0) throw nb::python_error();
  if (rank > max_dims) throw nb::value_error("arrays have at most 64 dimensions");
  for (int d = 0; d < rank; ++d) sizes[d] = integer(nb::handle(PyTuple_GetItem(tuple.ptr(), d)));
}

nb::tuple shape_tuple(Layout const& layout) {
  nb::object shape = nb::steal(PyTuple_New(layout.rank));
  for (int d = 0; d < layout.rank; ++d) PyTuple_SetItem(shape.ptr(), d, PyLong_FromLongLong(layout.shape[d]));
  return nb::borrow<nb::tuple>(shape);
}

struct Prepared {
  std::shared_ptr<Planned const> planned;
};

// For an array of any library: its plan (None where there is nothing to compute), the output's shape (None where no axis is
// transformed) and type.
nb::tuple prepare(int function, bool many, int scalar, nb::handle shape, nb::handle strides, nb::handle type,
                  nb::handle size, nb::handle axis, nb::handle norm, nb::handle workers,
                  nb::handle orthogonalize, int device) {
  Call const call{static_cast<Function>(function), many, type, size, axis, norm, workers, orthogonalize};
  Request request;
  request.operation = operation_of(call);
  request.device = device;
  request.threads = device < 0 ? threads_of(workers) : 0;
  request.in.scalar = static_cast<Scalar>(scalar);
  int rank = 0;
  read_sizes(shape, request.in.shape, request.in.rank);
  read_sizes(strides, request.in.strides, rank);
  for (int d = 0; d < rank; ++d)
    if (request.in.shape[d] <= 1) request.in.strides[d] = 0;
  request.axes = axes_of(call, request.in);
  if (request.axes.count == 0) return nb::make_tuple(nb::none(), nb::none(), scalar);
  set_output(request);
  nb::object plan = nb::none();
  if (!is_empty(request.in) && !is_empty(request.out)) plan = nb::cast(Prepared{planned(request)});
  return nb::make_tuple(plan, shape_tuple(request.out), static_cast<int>(request.out.scalar));
}

// The layout of an input without strides, for what depends on shapes alone.
Layout layout_of(nb::handle shape, int scalar) {
  Layout layout;
  layout.scalar = static_cast<Scalar>(scalar);
  read_sizes(shape, layout.shape, layout.rank);
  set_dense(layout);
  return layout;
}

nb::tuple resolved_axes(int function, bool many, nb::handle shape, nb::handle type, nb::handle size,
                        nb::handle axis) {
  Call const call{
      static_cast<Function>(function), many, type, size, axis, nb::none(), nb::none(), nb::none()};
  Axes const axes = axes_of(call, layout_of(shape, 0));
  nb::list indices, sizes;
  for (int a = 0; a < axes.count; ++a) {
    indices.append(axes.index[a]);
    sizes.append(axes.sizes[a]);
  }
  return nb::make_tuple(indices, sizes);
}

nb::tuple out_side(int function, bool many, int scalar, nb::handle shape, nb::handle type, nb::handle size,
                   nb::handle axis) {
  nb::none const none;
  Call const call{static_cast<Function>(function), many, type, size, axis, none, none, none};
  Request request;
  request.operation = operation_of(call);
  request.in = layout_of(shape, scalar);
  if (request.operation.kind == Kind::c2c) request.in.scalar = complex_of(request.in.scalar);
  request.axes = axes_of(call, request.in);
  set_output(request);
  return nb::make_tuple(shape_tuple(request.out), static_cast<int>(request.out.scalar));
}

// Plans that a graph was captured from must outlive it, and nobody tells when it is gone: they are kept for good.
void pin(Prepared const& prepared) {
  static auto& pinned = *new std::vector<std::shared_ptr<Planned const>>;
  if (std::find(pinned.begin(), pinned.end(), prepared.planned) == pinned.end())
    pinned.push_back(prepared.planned);
}

void execute(Prepared const& prepared, std::uintptr_t in, std::uintptr_t out, nb::handle owner,
             std::uintptr_t workspace, std::uintptr_t stream) {
  ExecuteSettings settings;
  settings.workspace = reinterpret_cast<void*>(workspace);
  settings.stream = reinterpret_cast<void*>(stream);
  run(prepared.planned, reinterpret_cast<void const*>(in), reinterpret_cast<void*>(out), {owner, owner},
      settings);
}

}  // namespace

void bind_functions(nb::module_& m) {
  bind_workers(m);
  m.def("set_other_arrays", [](nb::object function) { other_arrays = function.release().ptr(); });
  m.def("transform", &transform, nb::arg("function"), nb::arg("many"), nb::arg("x").none(),
        nb::arg("type").none(), nb::arg("size").none(), nb::arg("axis").none(), nb::arg("norm").none(),
        nb::arg("overwrite_x").none(), nb::arg("workers").none(), nb::arg("orthogonalize").none(),
        nb::arg("plan").none());
  nb::class_<Prepared>(m, "Prepared", "A plan that a function keeps, for one layout on one device.")
      .def_prop_ro("workspace_bytes", [](Prepared const& p) { return p.planned->plan.workspace_bytes(); })
      .def("describe", [](Prepared const& p) { return p.planned->plan.describe(); })
      .def("pin", &pin, "Keep the plan until the process ends: a graph was captured from it.")
      .def("execute", &execute, nb::arg("input"), nb::arg("output"), nb::arg("owner").none(),
           nb::arg("workspace") = 0, nb::arg("stream") = 0);
  m.def("resolved_axes", &resolved_axes, nb::arg("function"), nb::arg("many"), nb::arg("shape"),
        nb::arg("type").none(), nb::arg("size").none(), nb::arg("axis").none(),
        "Axes and their logical sizes.");
  m.def("out_side", &out_side, nb::arg("function"), nb::arg("many"), nb::arg("scalar"), nb::arg("shape"),
        nb::arg("type").none(), nb::arg("size").none(), nb::arg("axis").none(),
        "Shape and type of the result.");
  m.def("prepare", &prepare, nb::arg("function"), nb::arg("many"), nb::arg("scalar"), nb::arg("shape"),
        nb::arg("strides"), nb::arg("type").none(), nb::arg("size").none(), nb::arg("axis").none(),
        nb::arg("norm").none(), nb::arg("workers").none(), nb::arg("orthogonalize").none(),
        nb::arg("device"));
}

}  // namespace skipper::python
