// All kernels of one precision for the widest vectors that the compiler's flags allow, and the passes for the
// narrower ones too, down to 16 bytes: short lines fill no more.
#pragma once

#include "cpu/variant/half_of.h"
#include "cpu/variant/halves.h"
#include "cpu/variant/moves.h"
#include "cpu/variant/odd.h"
#include "cpu/variant/passes.h"
#include "cpu/variant/rows_of.h"

namespace skipper::cpu::SKIPPER_VARIANT {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

constexpr int largest_factor(int n) {
  int largest = 1;
  for (int f = 2; n > 1; ++f)
    for (; n % f == 0; n /= f) largest = f;
  return largest;
}

template <class T>
constexpr Kernels kernels_of() {
  Kernels all;
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  all.table[all.tables++] = pass_table<Vec<T, lanes>>();
  if constexpr (vector_bytes >= 32) all.table[all.tables++] = pass_table<Vec<T, lanes / 2>>();
  if constexpr (vector_bytes >= 64) all.table[all.tables++] = pass_table<Vec<T, lanes / 4>>();
  add_odd<Vec<T, lanes>>(all.table[0]);
  if constexpr (vector_bytes >= 32) add_odd<Vec<T, lanes / 2>>(all.table[1]);
  if constexpr (vector_bytes >= 64) add_odd<Vec<T, lanes / 4>>(all.table[2]);
  using V = Vec<T, lanes>;
  each<kernel::radix_count>([&](auto i) {
    constexpr int R = kernel::radices[i];
    if constexpr (R <= most_alone && largest_factor(R) <= 13) all.alone[R] = only_lines_pass<R, Vec<T, 2>>;
  });
  each<most_radix>([&](auto i) {
    constexpr int R = pass_radices[i];
    all.from_real_alone[R] = from_real_lines_pass<R, Vec<T, 2>>;
    all.to_real_alone[R] = to_real_lines_pass<R, Vec<T, 2>>;
  });
  all.to_real_spectrum = to_real_spectrum<V>;
  all.from_real_spectrum = from_real_spectrum<V>;
  all.multiply = multiply<V>;
  all.transpose = transpose_any<V>;
  all.rows = row_kernels<V>();
  all.halves = half_kernels;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
