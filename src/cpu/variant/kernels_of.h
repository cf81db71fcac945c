// All kernels of one precision for the widest vectors that the compiler's flags allow, and the passes for the
// narrower ones too, down to 16 bytes: short lines fill no more.
#pragma once

#include "cpu/variant/bluestein.h"
#include "cpu/variant/conversions_of.h"
#include "cpu/variant/halves.h"
#include "cpu/variant/moves.h"
#include "cpu/variant/odd.h"
#include "cpu/variant/passes.h"
#include "cpu/variant/rows_of.h"
#include "cpu/variant/runs_of.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class T>
constexpr Kernels kernels_of(Parts<T> const& parts) {
  Kernels all;
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  each<widths_to(16)>([&](auto i) {
    PassTable& table = all.table[all.tables++];
    table.lanes = lanes >> i;
    table.planes = &parts.planes[i];
    table.blocked = &parts.blocked[i];
    table.whole = &parts.whole[i];
    table.lines = &parts.lines[i];
    table.real_lines = &parts.real_lines[i];
    add_odd<Vec<T, (lanes >> i)>>(table);
  });
  all.alone = &parts.lines.back();
  all.real_alone = &parts.real_lines.back();
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
