// All kernels of one precision for the widest vectors that the compiler's flags allow, and the passes for the
// narrower ones too, down to 16 bytes: short lines fill no more.
#pragma once

#include "cpu/variant/halves.h"
#include "cpu/variant/moves.h"
#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T>
constexpr Kernels kernels_of() {
  Kernels all;
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  all.table[all.tables++] = pass_table<Vec<T, lanes>>();
  if constexpr (vector_bytes >= 32) all.table[all.tables++] = pass_table<Vec<T, lanes / 2>>();
  if constexpr (vector_bytes >= 64) all.table[all.tables++] = pass_table<Vec<T, lanes / 4>>();
  using V = Vec<T, lanes>;
  all.to_real_spectrum = to_real_spectrum<V>;
  all.from_real_spectrum = from_real_spectrum<V>;
  all.multiply = multiply<V>;
  all.transpose = transpose_any<V>;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
