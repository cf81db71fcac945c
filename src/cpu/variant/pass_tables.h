// The tables of passes. Each is made in a file of its own (planar_f32.cpp and so on), since one file with all would take long to
// compile. The tables are constants: no code of an instruction set runs before it is known that the machine has it.
#pragma once

#include <array>
#include <utility>

#include "cpu/kernels.h"
#include "cpu/variant/vectors.h"

namespace skipper::cpu::SKIPPER_VARIANT {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// How many widths there are from the widest vector down to one of `least` bytes.
constexpr int widths_to(int least) {
  int count = 1;
  while ((vector_bytes >> count) >= least) ++count;
  return count;
}

/// The widest first. Down to 16 bytes, since short lines fill no more; whole short lines down to one complex number.
template <class Part>
using PerWidth = std::array<Part, widths_to(16)>;
template <class T, class Part>
using PerLineWidth = std::array<Part, widths_to(2 * sizeof(T))>;

extern PerWidth<PassSet> const planar_f32, planar_f64, blocked_f32, blocked_f64;
extern PerWidth<UnbufferedPasses> const unbuffered_f32, unbuffered_f64;
extern PerLineWidth<float, ShortPasses> const short_lines_f32;
extern PerLineWidth<double, ShortPasses> const short_lines_f64;
extern PerLineWidth<float, RealShortPasses> const short_real_lines_f32;
extern PerLineWidth<double, RealShortPasses> const short_real_lines_f64;

/// The tables of one precision.
template <class T>
struct PassTables {
  PerWidth<PassSet> const &planar, &blocked;
  PerWidth<UnbufferedPasses> const& unbuffered;
  PerLineWidth<T, ShortPasses> const& lines;
  PerLineWidth<T, RealShortPasses> const& real_lines;
};

template <class V>
struct VectorType {};

template <class T, class Make, int... I>
constexpr auto per_width(Make make, std::integer_sequence<int, I...>) {
  return std::array{make(VectorType<Vec<T, (vector_bytes / int(sizeof(T)) >> I)>>{})...};
}
/// make(VectorType<V>) for each V of PerWidth, or of PerLineWidth.
template <class T, class Make>
constexpr auto per_width(Make make) {
  return per_width<T>(make, std::make_integer_sequence<int, widths_to(16)>{});
}
template <class T, class Make>
constexpr auto per_line_width(Make make) {
  return per_width<T>(make, std::make_integer_sequence<int, widths_to(2 * sizeof(T))>{});
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
