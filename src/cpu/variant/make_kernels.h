// Makes the table of kernels of one precision: all kernels for the widest vectors that the compiler's flags allow, and the passes
// also for narrower ones, down to 16 bytes, for lines too short to fill wide vectors.
#pragma once

#include "cpu/variant/bluestein.h"
#include "cpu/variant/conversions.h"
#include "cpu/variant/hermitian_split.h"
#include "cpu/variant/transpose.h"
#include "cpu/variant/symmetric_prime.h"
#include "cpu/variant/passes.h"
#include "cpu/variant/row_ops.h"
#include "cpu/variant/vector_runs.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class T>
constexpr Kernels make_kernels(PassTables<T> const& parts) {
  Kernels all;
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  each<widths_to(16)>([&](auto i) {
    PassTable& table = all.table[all.tables++];
    table.lanes = lanes >> i;
    table.planar = &parts.planar[i];
    table.blocked = &parts.blocked[i];
    table.unbuffered = &parts.unbuffered[i];
    table.lines = &parts.lines[i];
    table.real_lines = &parts.real_lines[i];
    add_symmetric_prime<Vec<T, (lanes >> i)>>(table);
  });
  all.narrowest_lines = &parts.lines.back();
  all.narrowest_real_lines = &parts.real_lines.back();
  using V = Vec<T, lanes>;
  all.to_real_spectrum = to_real_spectrum<V>;
  all.from_real_spectrum = from_real_spectrum<V>;
  all.multiply = multiply<V>;
  all.transpose = transpose_any<V>;
  all.rows = row_kernels<V>();
  all.chirps = chirp_kernels<V>();
  all.f16 = f16_conversions;
  all.bf16 = bf16_conversions;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
