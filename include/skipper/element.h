// Element types of arrays, for the typed calls. Complex numbers are std::complex, or any type with the same layout: CUDA's float2
// and double2 (so cufftComplex, cufftDoubleComplex, cuComplex), FFTW's fftw_complex and fftwf_complex, __half2 for f16,
// __nv_bfloat162 for bf16. No header of theirs is needed.
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

struct __half;          // CUDA's, defined in cuda_fp16.h
struct __half2;         // two of them
struct __nv_bfloat16;   // defined in cuda_bf16.h
struct __nv_bfloat162;  // two of them

namespace skipper {

// untyped: void, or std::byte. The caller vouches for what is there.
enum class Element { untyped, f32, f64, f16, bf16, complex_f32, complex_f64, complex_f16, complex_bf16 };

// A struct that is two numbers, x and then y, and nothing else.
template <class T, class Number>
concept PairOf =
    std::is_class_v<T> && std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T> && requires {
  requires std::same_as<decltype(T::x), Number> && std::same_as<decltype(T::y), Number>;
  requires offsetof(T, x)
  == 0 && offsetof(T, y) == sizeof(Number) && sizeof(T) == 2 * sizeof(Number);
};

// Which element a type is; nothing for types that arrays cannot have.
template <class T>
constexpr std::optional<Element> element_of() {
  if constexpr (std::is_void_v<T> || std::same_as<T, std::byte>)
    return Element::untyped;
  else if constexpr (std::same_as<T, float>)
    return Element::f32;
  else if constexpr (std::same_as<T, double>)
    return Element::f64;
  else if constexpr (std::same_as<T, Half> || std::same_as<T, ::__half>)
    return Element::f16;
  else if constexpr (std::same_as<T, ::__half2>)
    return Element::complex_f16;
  else if constexpr (std::same_as<T, BFloat16> || std::same_as<T, ::__nv_bfloat16>)
    return Element::bf16;
  else if constexpr (std::same_as<T, ::__nv_bfloat162>)
    return Element::complex_bf16;
  else if constexpr (std::same_as<T, std::complex<float>> || std::same_as<T, float[2]>)
    return Element::complex_f32;
  else if constexpr (std::same_as<T, std::complex<double>> || std::same_as<T, double[2]>)
    return Element::complex_f64;
  else if constexpr (PairOf<T, float>)
    return Element::complex_f32;
  else if constexpr (PairOf<T, double>)
    return Element::complex_f64;
  else
    return std::nullopt;
}

// float, double, skipper::Half, skipper::BFloat16, complex numbers as above; void or std::byte, which is not checked.
template <class T>
concept ArrayElement = element_of<std::remove_const_t<T>>()
.has_value();

// The same of an array that is written.
template <class T>
concept WritableElement = ArrayElement<T> && !std::is_const_v<T>;

// float2 and the like, or std::complex.
template <class T>
concept ComplexElement = ArrayElement<T> &&(*element_of<std::remove_const_t<T>>() == Element::complex_f32 ||
                                            *element_of<std::remove_const_t<T>>() == Element::complex_f64);

template <ArrayElement T>
inline constexpr Element element_v = *element_of<std::remove_const_t<T>>();

// As messages have them.
constexpr char const* name(Element element) {
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

}  // namespace skipper
