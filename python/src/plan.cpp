// skipper.Plan: a problem on arrays of one shape and element type, on one device. Calls with NumPy arrays end here; arrays of
// other libraries go through Python (skipper/_dispatch.py), which calls execute() with their pointers.
#include <skipper/plan.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "array_plan.h"
#include "bindings.h"
#include "numpy.h"
#include "overlap.h"
#include "run.h"

namespace skipper::python {
namespace {

PyObject* other_plan_call = nullptr;

// NumPy's type of an element, and how many of them an element of ours is: 16-bit complex numbers are pairs along a last axis.
struct Stored {
  int type;
  int parts;
};
Stored stored_as(Scalar scalar) {
  switch (scalar) {
    case Scalar::float16:
      return {NPY_HALF, 1};
    case Scalar::bfloat16:
      return {NPY_UINT16, 1};
    case Scalar::float32:
      return {NPY_FLOAT, 1};
    case Scalar::float64:
      return {NPY_DOUBLE, 1};
    case Scalar::complex32:
      return {NPY_HALF, 2};
    case Scalar::complex_bfloat16:
      return {NPY_UINT16, 2};
    case Scalar::complex64:
      return {NPY_CFLOAT, 1};
    default:
      return {NPY_CDOUBLE, 1};
  }
}

std::string shape_text(Layout const& layout, Stored stored) {
  std::string text = "(";
  for (int d = 0; d < layout.rank; ++d) text += std::to_string(layout.shape[d]) + ", ";
  if (stored.parts == 2) text += "2, ";
  if (text.size() > 2) text.resize(text.size() - 2);
  return text + ")";
}

// Checks an array against a side of the plan and reads its strides.
void read_side(char const* name, PyArrayObject* array, Layout const& side, Layout& layout) {
  Stored const stored = stored_as(side.scalar);
  int const rank = side.rank + (stored.parts - 1);
  bool fits =
      PyArray_TYPE(array) == stored.type && PyArray_NDIM(array) == rank && PyArray_ISBEHAVED_RO(array);
  for (int d = 0; fits && d < side.rank; ++d) fits = PyArray_DIM(array, d) == side.shape[d];
  if (fits && stored.parts == 2)
    fits = PyArray_DIM(array, rank - 1) == 2 && PyArray_STRIDE(array, rank - 1) == PyArray_ITEMSIZE(array);
  if (!fits) {
    nb::object const type = nb::steal(reinterpret_cast<PyObject*>(PyArray_DescrFromType(stored.type)));
    throw Error(name, "has another shape or type than the plan, which takes " + shape_text(side, stored) +
                          " of " + std::string(nb::str(type).c_str()) +
                          ", aligned and of this machine's byte order; convert it, or make a plan for it");
  }
  layout.rank = side.rank;
  layout.scalar = side.scalar;
  std::int64_t const bytes = bytes_of(side.scalar);
  for (int d = 0; d < side.rank; ++d) {
    layout.shape[d] = side.shape[d];
    npy_intp const stride = PyArray_STRIDE(array, d);
    if (side.shape[d] > 1 && (stride < 0 || stride % bytes != 0))
      throw Error(name, "has a stride of " + std::to_string(stride) + " bytes along axis " +
                            std::to_string(d) +
                            "; plans take multiples of an element that are not negative: copy it first");
    layout.strides[d] = side.shape[d] > 1 ? stride / bytes : 0;
  }
}

nb::object new_output(Layout const& side) {
  Stored const stored = stored_as(side.scalar);
  npy_intp shape[max_dims + 1];
  std::copy_n(side.shape.begin(), side.rank, shape);
  shape[side.rank] = 2;
  PyObject* const made = empty_array(side.rank + stored.parts - 1, shape, stored.type);
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

nb::object call(nb::handle self, nb::handle x, nb::handle out, nb::handle stream) {
  ArrayPlan const& plan = *nb::inst_ptr<ArrayPlan>(self);
  bool const numpy =
      PyArray_Check(x.ptr()) && (out.is_none() || PyArray_Check(out.ptr())) && stream.is_none();
  if (!numpy) return nb::borrow(other_plan_call)(self, x, out, stream);
  Layout in_layout, out_layout;
  read_side("x", as_array(x), plan.in(), in_layout);
  nb::object result = out.is_none() ? new_output(plan.out()) : nb::borrow(out);
  read_side("out", as_array(result), plan.out(), out_layout);
  if (!PyArray_ISWRITEABLE(as_array(result)))
    throw Error("out", "is read-only; give an array that may be written, or none");
  void* const from = PyArray_DATA(as_array(x));
  void* const to = PyArray_DATA(as_array(result));
  if (!out.is_none()) demand_apart({from, in_layout}, {to, out_layout}), demand_other_file(x, out);
  run(plan.with(in_layout, out_layout, from == to), from, to, {x, result});
  return result;
}

// The arguments of a call by position and by name, read by hand: the general way takes longer than a small transform.
struct Given {
  PyObject* x = nullptr;
  PyObject* out = nullptr;
  PyObject* stream = nullptr;
};

bool read_arguments(PyObject* args, PyObject* named, Given& given) {
  char const* const names[] = {"x", "out", "stream"};
  PyObject** const places[] = {&given.x, &given.out, &given.stream};
  Py_ssize_t const count = PyTuple_Size(args);
  if (count > 3) {
    PyErr_Format(PyExc_TypeError, "a plan takes x, out and stream, but %zd arguments were given", count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) *places[i] = PyTuple_GetItem(args, i);
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  while (named && PyDict_Next(named, &position, &key, &value)) {
    int i = 0;
    while (i < 3 && PyUnicode_CompareWithASCIIString(key, names[i]) != 0) ++i;
    if (i == 3 || *places[i]) {
      PyErr_Format(PyExc_TypeError, "a plan takes x, out and stream, each once; '%U' is another", key);
      return false;
    }
    *places[i] = value;
  }
  if (!given.x) PyErr_SetString(PyExc_TypeError, "a plan is called with an array, x");
  return given.x != nullptr;
}

PyObject* error_type = nullptr;  // skipper.Error

// Python's exception for what is being thrown.
void set_exception() {
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (Error const& e) {
    nb::object error = nb::borrow(error_type)(std::string(e.what()));
    error.attr("argument") = e.argument();
    PyErr_SetObject(error_type, error.ptr());
  } catch (std::bad_alloc const&) {
    PyErr_NoMemory();
  } catch (std::exception const& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

PyObject* call_slot(PyObject* self, PyObject* args, PyObject* named) {
  Given given;
  if (!read_arguments(args, named, given)) return nullptr;
  try {
    return call(self, given.x, given.out ? given.out : Py_None, given.stream ? given.stream : Py_None)
        .release()
        .ptr();
  } catch (...) {
    set_exception();
    return nullptr;
  }
}

PyType_Slot plan_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_slot)}, {0, nullptr}};

// All kinds of axes, as the library counts and names them.
std::vector<AxisKind> axis_kinds() {
  std::vector<AxisKind> all;
  for (int k = 0; name(static_cast<AxisKind>(k)) != "?"; ++k) all.push_back(static_cast<AxisKind>(k));
  return all;
}

AxisKind axis_kind_of(std::string const& word) {
  std::string words;
  for (AxisKind const kind : axis_kinds()) {
    if (word == name(kind)) return kind;
    if (kind != AxisKind::fourier) words.append(name(kind)).append(", ");
  }
  throw Error("kind", "'" + word + "' is none; give c2c, r2c, c2r, " + words +
                          "or one of the latter or fourier for each axis");
}

// The kind that undoes each kind, by their names.
nb::dict inverse_kinds() {
  nb::dict inverses;
  for (AxisKind const kind : axis_kinds())
    inverses[nb::cast(std::string(name(kind)))] = std::string(name(inverse_kind(kind)));
  return inverses;
}

// What Python has looked through already (skipper/_plan.py): dimensions in order, kinds one an axis.
ArrayPlan make_plan(std::string const& kind, int scalar, std::vector<std::int64_t> const& shape,
                    std::vector<int> const& axes, std::vector<std::string> const& kinds, bool inverse,
                    bool ortho, double scale, int threads, std::string const& device) {
  Problem problem;
  std::string const words[] = {"c2c", "r2c", "c2r", "r2r"};
  problem.kind = static_cast<Kind>(std::find(words, words + 3, kind) - words);
  Precision const precisions[] = {Precision::f16, Precision::bf16, Precision::f32, Precision::f64};
  problem.precision = precisions[static_cast<int>(real_of(static_cast<Scalar>(scalar)))];
  problem.direction = inverse || problem.kind == Kind::c2r ? Direction::inverse : Direction::forward;
  problem.norm = ortho ? Norm::ortho : Norm::none;
  problem.scale = scale;
  std::vector<int> batch_dims;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    Axis axis;
    axis.size = shape[axes[a]];
    axis.kind = axis_kind_of(kinds[a]);
    problem.axes.push_back(axis);
  }
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    if (std::find(axes.begin(), axes.end(), d) != axes.end()) continue;
    batch_dims.push_back(d);
    problem.batch.push_back({shape[d], 0, 0});
  }
  problem = dense_layout(problem);
  check(problem);
  PlanSettings settings;
  settings.device = Device(device);
  if (settings.device.name() == "cpu") settings.cpu.threads = threads;
  return ArrayPlan(std::move(problem), axes, std::move(batch_dims), settings);
}

nb::tuple side_tuple(Layout const& side) {
  nb::list shape;
  for (int d = 0; d < side.rank; ++d) shape.append(side.shape[d]);
  return nb::make_tuple(nb::tuple(shape), static_cast<int>(side.scalar));
}

void execute_plan(ArrayPlan const& plan, std::uintptr_t in, std::vector<std::int64_t> const& in_strides,
                  std::uintptr_t out, std::vector<std::int64_t> const& out_strides, nb::handle owner,
                  std::uintptr_t workspace, std::uintptr_t stream) {
  Layout in_layout = plan.in(), out_layout = plan.out();
  std::copy(in_strides.begin(), in_strides.end(), in_layout.strides.begin());
  std::copy(out_strides.begin(), out_strides.end(), out_layout.strides.begin());
  demand_apart({reinterpret_cast<void const*>(in), in_layout},
               {reinterpret_cast<void const*>(out), out_layout});
  ExecuteSettings settings;
  settings.workspace = reinterpret_cast<void*>(workspace);
  settings.stream = reinterpret_cast<void*>(stream);
  run(plan.with(in_layout, out_layout, in == out), reinterpret_cast<void const*>(in),
      reinterpret_cast<void*>(out), {owner, owner}, settings);
}

constexpr char plan_text[] =
    "A transform made ready for arrays of one shape and type on one device.\n\n"
    "Plan(shape, dtype='complex128', kind=None, axes=None, *, inverse=False, norm='backward', scale=1.0, "
    "threads=0,\n"
    "     device='cpu')\n\n"
    "shape    logical: that of the real side of r2c and c2r\n"
    "dtype    of the arrays: float32, float64, complex64, complex128; 16 bits: float16, bfloat16, complex32, "
    "complex_bfloat16\n"
    "kind     c2c, r2c, c2r, or a real kind, as dct2, dst1 or dht; or a list with a real kind or fourier for "
    "each axis;\n"
    "         without it complex types are c2c, real ones r2c\n"
    "axes     transformed; the others are batches\n"
    "threads  of the CPU, 0: one for each core\n"
    "device   'cpu', 'cuda:0', or 'best'\n\n"
    "plan(x, out=None, stream=None) is the transform of x: a new array, or out. An array on a GPU is "
    "computed in its\n"
    "library's current stream, or in the one whose handle is given.";

nb::list device_list() {
  nb::list list;
  for (DeviceDescription const& device : devices()) {
    nb::dict entry;
    entry["name"] = device.name;
    entry["title"] = device.title;
    entry["machine"] = device.machine;
    entry["instruction_sets"] = device.instruction_sets;
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_plan(nb::module_& m) {
  error_type = nb::object(m.attr("Error")).release().ptr();
  m.def("set_other_plan_call", [](nb::object function) { other_plan_call = function.release().ptr(); });
  m.def("devices", &device_list, "The devices that can be used here, the best first.");
  m.attr("inverse_kinds") = inverse_kinds();
  m.def(
      "round_trip_factor",
      [](std::string const& kind, std::int64_t size) {
        Axis axis;
        axis.size = size;
        axis.kind = axis_kind_of(kind);
        return round_trip_factor(axis);
      },
      "What a kind and its inverse, both unnormalised, multiply an axis of this size by.");
  m.def("missing_for_gpu", &missing_for_gpu, "What a GPU lacks to be one of devices(), a sentence each.");
  nb::class_<ArrayPlan>(m, "Plan", nb::type_slots(plan_slots), plan_text)
      .def("__init__",
           [](ArrayPlan* self, nb::args args, nb::kwargs named) {
             nb::object const read = nb::module_::import_("skipper._plan").attr("arguments");
             nb::object const given = nb::borrow(read)(*args, **named);
             new (self) ArrayPlan(nb::cast<ArrayPlan>(
                 nb::module_::import_("skipper._core").attr("make_plan")(**nb::borrow<nb::dict>(given))));
           })
      .def("inverse", &ArrayPlan::inverse, "The plan that undoes this one, scaled by 1/N.")
      .def(
          "describe", [](ArrayPlan const& p) { return p.plan().describe(); },
          "What the plan does, step by step.")
      .def("execute", &execute_plan, nb::arg("input"), nb::arg("in_strides"), nb::arg("output"),
           nb::arg("out_strides"), nb::arg("owner").none(), nb::arg("workspace") = 0, nb::arg("stream") = 0)
      .def_prop_ro(
          "problem", [](ArrayPlan const& p) { return text(p.problem()); }, "The problem as text.")
      .def_prop_ro("device", [](ArrayPlan const& p) { return p.plan().device().name(); })
      .def_prop_ro("workspace_bytes", [](ArrayPlan const& p) { return p.plan().workspace_bytes(); })
      .def_prop_ro("_in_side", [](ArrayPlan const& p) { return side_tuple(p.in()); })
      .def_prop_ro("_out_side", [](ArrayPlan const& p) { return side_tuple(p.out()); });
  m.def("make_plan", &make_plan, nb::arg("kind"), nb::arg("scalar"), nb::arg("shape"), nb::arg("axes"),
        nb::arg("kinds"), nb::arg("inverse"), nb::arg("ortho"), nb::arg("scale"), nb::arg("threads"),
        nb::arg("device"));
}

}  // namespace skipper::python
