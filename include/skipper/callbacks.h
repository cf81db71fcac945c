// What a user's function on load or store is called with: neighbouring elements of one side, on their way in or out.
#pragma once

#include <skipper/element.h>
#include <skipper/error.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace skipper {

// Elements of the side's own type, real or complex, as they are computed with: float or double (f16 and bf16 arrays: float).
// They stand in a buffer: a function on load changes what is transformed and never the input, one on store what is
// written. `index` is that of the first element, batch dimensions first and then axes; the others follow it along axis
// `axis`, each one further.
struct CallbackRun {
  void* values = nullptr;
  std::int64_t count = 0;
  std::int64_t const* index = nullptr;
  std::size_t axis = 0;                // which entry of `index` counts the elements
  Element element = Element::untyped;  // what `values` is of

  // values as T: float, double or a complex of them. Throws Error where they are of another type.
  template <ArrayElement T>
  T* as() const {
    if (element_v<T> != element && element_v<T> != Element::untyped && element != Element::untyped)
      throw Error("values", std::string("are ") + name(element) + " but the function asks for " +
                                name(element_v<T>) + "; use as() with the type of that side");
    return static_cast<T*>(values);
  }
};

// Called once for every run of elements that is read or written, zeros of padding not among them, in any order and by several
// threads at once: it must not change anything they share. What it throws, execute() throws.
using Callback = std::function<void(CallbackRun const&)>;

}  // namespace skipper
