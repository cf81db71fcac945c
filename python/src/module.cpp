// The extension module skipper._core: errors become Python's exceptions, then every part adds its own.
#include "bindings.h"

#include <skipper/error.h>
#include <skipper/version.h>

#include <nanobind/stl/string.h>

#include "numpy.h"

namespace skipper::python {
namespace {

// skipper.Error is a ValueError and a RuntimeError, so that code written for either catches it; its `argument` is the argument at fault.
nb::object make_error_type(nb::module_& m) {
  nb::object const builtins = nb::module_::import_("builtins");
  nb::object const bases = nb::make_tuple(builtins.attr("ValueError"), builtins.attr("RuntimeError"));
  nb::dict members;
  members["__doc__"] =
      "What Skipper refuses: the message names the argument, the limit and the way out. "
      "`argument` is the first of these.";
  members["__module__"] = "skipper";
  members["argument"] = "";
  nb::object type = builtins.attr("type")("Error", bases, members);
  m.attr("Error") = type;
  return type;
}

void translate(std::exception_ptr const& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (Error const& e) {
    nb::object error = nb::borrow(static_cast<PyObject*>(type))(std::string(e.what()));
    error.attr("argument") = e.argument();
    PyErr_SetObject(static_cast<PyObject*>(type), error.ptr());
  }
}

}  // namespace
}  // namespace skipper::python

NB_MODULE(_core, m) {
  using namespace skipper::python;
  nanobind::set_leak_warnings(false);  // what a daemon thread holds when Python ends is not lost by us
  m.doc() = "The compiled part of the package skipper.";
  load_numpy();
  nanobind::object type = make_error_type(m);
  nanobind::register_exception_translator(translate, type.release().ptr());
  m.attr("version") = skipper::version();
  bind_functions(m);
  bind_cache(m);
  bind_plan(m);
  bind_convolution(m);
  bind_poisson(m);
  bind_stream(m);
  bind_distributed(m);
}
