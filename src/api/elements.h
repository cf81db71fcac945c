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

inline char const* name(Element element) {
  switch (element) {
    case Element::f32:
      return "f32";
    case Element::f64:
      return "f64";
    case Element::f16:
      return "f16";
    case Element::complex_f32:
      return "complex f32";
    case Element::complex_f64:
      return "complex f64";
    case Element::complex_f16:
      return "complex f16";
    case Element::bf16:
      return "bf16";
    case Element::complex_bf16:
      return "complex bf16";
    case Element::untyped:
      break;
  }
  return "void";
}

inline Error wrong_element(char const* argument, Element given, Element wanted) {
  return Error(argument, std::string("points to ") + name(given) + " but the array is of " + name(wanted) +
                             "; make the plan for what the arrays hold");
}

/// Throws Error, apart from the test, so that a call of nanoseconds pays for nothing of it.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_elements(Elements given, Elements wanted) {
  if (!fits(given.in, wanted.in)) throw wrong_element("in", given.in, wanted.in);
  throw wrong_element("out", given.out, wanted.out);
}
inline void demand_elements(Elements given, Elements wanted) {
  if (!fits(given.in, wanted.in) || !fits(given.out, wanted.out)) refuse_elements(given, wanted);
}

}  // namespace skipper
