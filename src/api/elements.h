// Types of the caller's pointers, held to what a side of a problem is.
#pragma once

#include <skipper/element.h>
#include <skipper/problem.h>

#include <string>

namespace skipper {

inline Element element_type(Precision precision, bool complex) {
  if (precision == Precision::f64) return complex ? Element::complex_f64 : Element::f64;
  if (precision == Precision::f32) return complex ? Element::complex_f32 : Element::f32;
  if (precision == Precision::bf16) return complex ? Element::complex_bf16 : Element::bf16;
  return complex ? Element::complex_f16 : Element::f16;
}

inline bool complex_in(Kind kind) { return kind == Kind::c2c || kind == Kind::c2r; }
inline bool complex_out(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }

/// Both sides of a problem.
struct Elements {
  Element in, out;
};
inline Elements elements(Problem const& problem) {
  return {element_type(problem.precision, complex_in(problem.kind)),
          element_type(problem.precision, complex_out(problem.kind))};
}

/// Whether a pointer to `given` may be to an array of `wanted`. Complex f16 numbers are pairs of Half too, bf16 of BFloat16.
inline bool fits(Element given, Element wanted) {
  return given == wanted || given == Element::untyped ||
         (given == Element::f16 && wanted == Element::complex_f16) ||
         (given == Element::bf16 && wanted == Element::complex_bf16);
}

inline bool is_complex(Element element) {
  return element == Element::complex_f32 || element == Element::complex_f64 ||
         element == Element::complex_f16 || element == Element::complex_bf16;
}

/// The precision of what a pointer is to, as a user writes it.
inline std::string precision_of(Element element) {
  std::string const text = name(element);
  return "Precision::" + text.substr(text.rfind(' ') + 1);
}

/// `does`: what is done with the array, "reads" or "writes". `in_place`: with both sides in one array.
inline Error wrong_element(char const* argument, Element given, Element wanted, char const* does = "reads",
                           bool in_place = false) {
  std::string const is =
      std::string("points to ") + name(given) + " but the plan " + does + " " + name(wanted);
  if (in_place && is_complex(given) != is_complex(wanted))
    return Error(argument,
                 is +
                     "; the one array of a plan in place is given as both: cast this pointer, as in "
                     "reinterpret_cast<" +
                     (is_complex(wanted) ? "std::complex<" : "") +
                     (precision_of(wanted) == "Precision::f64" ? "double" : "float") +
                     (is_complex(wanted) ? ">*>" : "*>") + "(array)");
  bool const precision = is_complex(given) == is_complex(wanted) && given != Element::untyped;
  return Error(argument,
               is + (precision ? "; make the plan with " + precision_of(given) + ", or give such an array"
                               : std::string("; give such an array, or plan for the kind of data")));
}

/// Throws Error, apart from the test, so that a call of nanoseconds pays for nothing of it.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_elements(Elements given, Elements wanted,
                                                                   bool in_place) {
  if (!fits(given.in, wanted.in)) throw wrong_element("in", given.in, wanted.in, "reads", in_place);
  throw wrong_element("out", given.out, wanted.out, "writes", in_place);
}
inline void demand_elements(Elements given, Elements wanted, bool in_place = false) {
  if (!fits(given.in, wanted.in) || !fits(given.out, wanted.out)) refuse_elements(given, wanted, in_place);
}

}  // namespace skipper
