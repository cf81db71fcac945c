#pragma once
// Which registers the butterflies of a step join, which move at once, and which hold outputs that are evenly apart.
#include "kernel/queries.h"

namespace skipper::kernel {

constexpr bool in_group(Step const& step, int d) {
  for (int g = 0; g < step.group_size; ++g)
    if (step.group[g] == d) return true;
  return false;
}
constexpr int register_span(SweepSpec const& s, int i, int d) {
  int span = 1;
  for (int p = first_register(s, i); p < first_cluster_rank(s, i) && digit_at(s, i, p) != d; ++p)
    span *= extent_at(s, i, p);
  return span;
}
constexpr int butterflies(SweepSpec const& s, int i) { return elements_per_thread(s, i) / s.step[i].radix; }
/// Register of input (and output) k of butterfly b of step i.
constexpr int butterfly_register(SweepSpec const& s, int i, int b, int k) {
  int q = 0;
  Step const& step = s.step[i];
  for (int g = 0; g < step.group_size; ++g) {
    int const d = step.group[g];
    q += k % s.extent[d] * register_span(s, i, d);
    k /= s.extent[d];
  }
  for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p) {
    int const d = digit_at(s, i, p);
    if (in_group(step, d)) continue;
    q += b % s.extent[d] * register_span(s, i, d);
    b /= s.extent[d];
  }
  return q;
}

/// The registers of the inputs of butterfly 0, then of butterfly 1, and so on.
constexpr PerRegister<int> butterfly_registers(SweepSpec const& s, int i) {
  PerRegister<int> table;
  for (int p = 0; p < elements_per_thread(s, i); ++p)
    table.at[p] = butterfly_register(s, i, p / radix(s, i), p % radix(s, i));
  return table;
}

/// The registers of step `at` that stand side by side in the exchange into step i: the first two, then the next two. Zeros
/// where none do: compilers ask this of every exchange.
constexpr PerRegister<int> side_by_side(SweepSpec const& s, int i, int at) {
  PerRegister<int> table;
  if (!s.step[i].exchange.paired) return table;
  int span = 1, found = 0;
  for (int p = first_register(s, at); p < first_cluster_rank(s, at); ++p)
    if (s.step[i].exchange.weight[digit_at(s, at, p)] == 1) span = register_span(s, at, digit_at(s, at, p));
  for (int q = 0; q < elements_per_thread(s, at); ++q)
    if (q / span % 2 == 0) {
      table.at[found++] = q;
      table.at[found++] = q + span;
    }
  return table;
}

// ---- Outputs that the registers of a step hold evenly apart, though no butterfly joins them: the digits of a twiddle's k.

/// How many registers that are, 0 where they are not evenly apart or differ in what is still to be transformed.
constexpr int strides(SweepSpec const& s, int i) {
  Wide next = 0;
  int count = 1;
  for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p) {
    int const d = digit_at(s, i, p);
    Wide const k = s.step[i].twiddle.k[d];
    if (s.step[i].twiddle.low.tile[d] != 0 || (k != 0 && next != 0 && k != next)) return 0;
    if (k == 0) continue;
    if (ranks_are_rows(s, i) && d == s.hermitian.conjugate_rows.digit) return 0;  // another k than the digit says
    next = k * s.extent[d];
    count *= s.extent[d];
  }
  return count;
}
constexpr bool in_strides(SweepSpec const& s, int i) { return strides(s, i) > 1; }
constexpr bool not_in_strides(SweepSpec const& s, int i) { return !in_strides(s, i); }
constexpr int stride_groups(SweepSpec const& s, int i) {
  return strides(s, i) > 1 ? elements_per_thread(s, i) / strides(s, i) : 0;
}
/// The registers of one group in the order of k, then of the next.
constexpr PerRegister<int> evenly_apart(SweepSpec const& s, int i) {
  PerRegister<int> table;
  int const count = strides(s, i) > 1 ? strides(s, i) : 1;
  for (int q = 0; q < elements_per_thread(s, i); ++q) {
    int rest = q, place = 0, at = 1, group = 0, groups = 1;
    for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p) {
      int const extent = extent_at(s, i, p), digit = rest % extent;
      rest /= extent;
      if (s.step[i].twiddle.k[digit_at(s, i, p)] != 0) {
        place += digit * at;
        at *= extent;
      } else {
        group += digit * groups;
        groups *= extent;
      }
    }
    table.at[group * count + place] = q;
  }
  return table;
}

}  // namespace skipper::kernel
