// Spans first, which costs nothing; where these meet, Python looks at every element (skipper/_overlap.py).
#include "overlap.h"

#include <skipper/error.h>

#include <algorithm>

#include "numpy.h"

namespace skipper::python {
namespace {

namespace nb = nanobind;

// Plans have no dimensions without elements and no negative strides.
std::uintptr_t end_of(Place place) {
  std::int64_t last = 0;
  for (int d = 0; d < place.layout.rank; ++d) last += (place.layout.shape[d] - 1) * place.layout.strides[d];
  return reinterpret_cast<std::uintptr_t>(place.data) +
         static_cast<std::uintptr_t>((last + 1) * bytes_of(place.layout.scalar));
}

nb::tuple described(Place place) {
  nb::list shape, strides;
  int const bytes = bytes_of(place.layout.scalar);
  for (int d = 0; d < place.layout.rank; ++d) {
    shape.append(place.layout.shape[d]);
    strides.append(place.layout.strides[d] * bytes);
  }
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(place.data), nb::tuple(shape), nb::tuple(strides),
                        bytes);
}

nb::object function(char const* name) { return nb::module_::import_("skipper._overlap").attr(name); }

// Whether an array's memory is another object's, as a mapped file's.
bool is_borrowed(PyObject* array) {
  while (array && PyArray_Check(array)) array = PyArray_BASE(reinterpret_cast<PyArrayObject*>(array));
  return array != nullptr;
}

}  // namespace

void demand_apart(Place in, Place out) {
  if (in.data == out.data) return;
  auto const from = reinterpret_cast<std::uintptr_t>(in.data),
             to = reinterpret_cast<std::uintptr_t>(out.data);
  if (from >= end_of(out) || to >= end_of(in)) return;
  if (nb::cast<bool>(function("share_at")(described(in), described(out))))
    throw Error("out", "overlaps x; give an array of its own, or x itself to compute in place");
}

void demand_other_file(nb::handle x, nb::handle out) {
  bool const in_place = PyArray_DATA(as_array(x)) == PyArray_DATA(as_array(out));
  if (in_place || !is_borrowed(x.ptr()) || !is_borrowed(out.ptr())) return;
  if (nb::cast<bool>(function("are_one_file")(x, out)))
    throw Error("out",
                "is mapped from the same part of the same file as x; give another file, or x itself to "
                "compute in place");
}

}  // namespace skipper::python
