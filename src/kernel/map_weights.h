#pragma once
// The affine maps of a spec by name: the weight of each digit of the tile and of the grid, and from these the offsets that a
// thread, a cluster rank and a register add to a map.
#include "kernel/spec.h"

namespace skipper::kernel {

enum class MapName {
  read,
  write,
  guard,
  shared,
  cluster_rank,
  k,
  low,
  load_factor,
  store_factor,
  middle,
  symbol,
  pre,
  post,
  hermitian,
  rotation,
  parity,
  near,
  entry,
  exponent,
  line,
  beside,
  real_pair,
  makhoul_even,
  makhoul_odd,
  conjugate,
  row,
  cross,
  direct_dft
};

constexpr Wide cluster_rank_weight(SweepSpec const& s, int i, int d) {
  for (int p = 0; p < cluster_rank_digits(s, i); ++p)
    if (cluster_rank_digit(s, i, p) == d) return cluster_rank_span(s, i, p);
  return 0;
}
/// Whether the exchange into step i is written, or read, in Makhoul's order; and of which side that is.
constexpr bool permutes_in(SweepSpec const& s, int i) { return s.pre.makhoul && i == 1; }
constexpr bool permutes_out(SweepSpec const& s, int i) {
  return s.post.makhoul && i == s.steps - 1 && !permutes_in(s, i);
}
constexpr PrePostProcessing const& makhoul_side(SweepSpec const& s, int i) {
  return permutes_in(s, i) ? s.pre : s.post;
}
/// Weight of tile digit d in the affine map `map`; `which` numbers the guard, the symbol's axis, or the step the exchange
/// leads into.
constexpr Wide weight(SweepSpec const& s, MapName map, int which, int d) {
  switch (map) {
    case MapName::read:
      return s.read.tile[d];
    case MapName::write:
      return s.write.tile[d];
    case MapName::guard:
      return s.guard[which].at.tile[d];
    case MapName::shared:
      return s.step[which].exchange.weight[d];
    case MapName::cluster_rank:
      return cluster_rank_weight(s, which, d);
    case MapName::k:
      return s.step[which].twiddle.k[d];
    case MapName::low:
      return s.step[which].twiddle.low.tile[d];
    case MapName::load_factor:
      return s.load_factor.at.tile[d];
    case MapName::store_factor:
      return s.store_factor.at.tile[d];
    case MapName::middle:
      return s.step[which].middle.at.tile[d];
    case MapName::symbol:
      return s.symbol.at[which].tile[d];
    case MapName::pre:
      return s.pre.index.tile[d];
    case MapName::post:
      return s.post.index.tile[d];
    case MapName::hermitian:
      return s.hermitian.index[which].tile[d];
    // The whole index along the axis, where the Hermitian split's lacks what ranks count.
    case MapName::rotation:
      return s.hermitian.conjugate_rows.unit == 1 ? s.hermitian.index[0].tile[d]
             : s.hermitian.before_butterflies     ? s.pre.index.tile[d]
                                                  : s.post.index.tile[d];
    case MapName::parity:
      return s.hermitian.parity[d];
    case MapName::near:  // of both columns of a pair
      return s.hermitian.parity[d] ? 0 : s.step[which].exchange.weight[d];
    case MapName::entry:
      return s.rader.entry[d];
    case MapName::exponent:
      return s.rader.exponent[d];
    case MapName::line:
      return s.rader.line[d];
    case MapName::beside:
      return s.rader.entry[d] ? 0 : s.step[which].exchange.weight[d];
    case MapName::real_pair:  // from the last number on
      return (s.rader.entry[d] ? -1 : 1) * s.step[which].exchange.weight[d];
    case MapName::makhoul_even:
      return 2 * s.step[which].exchange.weight[d] - makhoul_side(s, which).index.tile[d];
    case MapName::makhoul_odd:
      return 2 * s.step[which].exchange.weight[d] - 3 * makhoul_side(s, which).index.tile[d];
    case MapName::conjugate:
      return s.hermitian.conjugate_rows.used && d == s.hermitian.conjugate_rows.digit;
    case MapName::row:
      return s.hermitian.crossed_axis.row.tile[d];
    case MapName::cross:
      return s.hermitian.crossed_axis.index.tile[d];
    case MapName::direct_dft:  // the index of what is multiplied
      return s.step[which].direct_dft.used && d == s.step[which].direct_dft.digit;
  }
  return 0;
}
constexpr Wide grid_weight(SweepSpec const& s, MapName map, int which, int g) {
  switch (map) {
    case MapName::read:
      return s.read.grid[g];
    case MapName::write:
      return s.write.grid[g];
    case MapName::guard:
      return s.guard[which].at.grid[g];
    case MapName::low:
      return s.step[which].twiddle.low.grid[g];
    case MapName::load_factor:
      return s.load_factor.at.grid[g];
    case MapName::store_factor:
      return s.store_factor.at.grid[g];
    case MapName::middle:
      return s.step[which].middle.at.grid[g];
    case MapName::symbol:
      return s.symbol.at[which].grid[g];
    case MapName::pre:
      return s.pre.index.grid[g];
    case MapName::post:
      return s.post.index.grid[g];
    default:
      return 0;
  }
}
constexpr Wide thread_weight(SweepSpec const& s, MapName map, int which, int i, int p) {
  return weight(s, map, which, digit_at(s, i, p));
}
constexpr Wide rank_weight(SweepSpec const& s, MapName map, int which, int i, int p) {
  return weight(s, map, which, cluster_rank_digit(s, i, p));
}

/// What the thread index, or the cluster rank, adds to an affine map: the sum of index / span % extent x weight over the digits
/// that it counts and that have a weight. One table compiles far faster than three queries a digit.
struct AffineTerms {
  unsigned span[max_digits] = {}, extent[max_digits] = {};
  Wide weight[max_digits] = {};
  int count = 0;
  constexpr void add(int by, int size, Wide w) {
    if (w == 0) return;
    span[count] = unsigned(by);
    extent[count] = unsigned(size);
    weight[count++] = w;
  }
};
constexpr AffineTerms thread_terms(SweepSpec const& s, MapName map, int which, int i) {
  AffineTerms all;
  int span = 1;
  for (int p = 0; p < thread_digits(s, i); ++p) {
    all.add(span, extent_at(s, i, p), thread_weight(s, map, which, i, p));
    span *= extent_at(s, i, p);
  }
  return all;
}
constexpr AffineTerms rank_terms(SweepSpec const& s, MapName map, int which, int i) {
  AffineTerms all;
  for (int p = 0; p < cluster_rank_digits(s, i); ++p)
    all.add(cluster_rank_span(s, i, p), cluster_rank_extent(s, i, p), rank_weight(s, map, which, i, p));
  return all;
}
constexpr int thread_term_count(SweepSpec const& s, MapName map, int which, int i) {
  return thread_terms(s, map, which, i).count;
}
constexpr int rank_term_count(SweepSpec const& s, MapName map, int which, int i) {
  return rank_terms(s, map, which, i).count;
}
constexpr Wide register_offset(SweepSpec const& s, MapName map, int which, int i, int q) {
  Wide total = 0;
  for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p) {
    total += Wide(q % extent_at(s, i, p)) * weight(s, map, which, digit_at(s, i, p));
    q /= extent_at(s, i, p);
  }
  return total;
}

/// A number for each register of a thread. One table a step compiles far faster than one query a register.
template <class Number>
struct PerRegister {
  Number at[max_registers] = {};
  constexpr Number operator[](int q) const { return at[q]; }
};
template <class Number>
constexpr PerRegister<Number> register_offsets(SweepSpec const& s, MapName map, int which, int i) {
  PerRegister<Number> table;
  for (int q = 0; q < elements_per_thread(s, i); ++q)
    table.at[q] = Number(register_offset(s, map, which, i, q));
  return table;
}

}  // namespace skipper::kernel
