#pragma once
// Queries of a spec: its exchanges, twiddles, guards, pre- and post-processing, Hermitian split, Rader and matrix-product
// DFTs, and where 32-bit numbers suffice. Those of its assignments are in spec.h, those of affine maps in map_weights.h.
#include "kernel/radices.h"
#include "kernel/map_weights.h"

namespace skipper::kernel {

constexpr bool carries_extra(SweepSpec const& s, int i);
constexpr bool not_across_cluster(SweepSpec const& s, int i);
/// Whether step i is reached through an exchange by weights.
constexpr bool exchanged(SweepSpec const& s, int i) {
  return s.step[i].exchange.needed && not_across_cluster(s, i);
}
constexpr bool remote(SweepSpec const& s, int i) { return s.step[i].exchange.remote; }
constexpr bool kept_in(SweepSpec const& s, int i) { return s.step[i].exchange.keep; }
/// Whether registers move through it two at a time, and how many such pairs a thread of step i has.
constexpr bool paired(SweepSpec const& s, int i) { return s.step[i].exchange.paired; }
constexpr int register_pairs(SweepSpec const& s, int i) { return elements_per_thread(s, i) / 2; }
constexpr bool fenced(SweepSpec const& s, int i) { return s.step[i].exchange.fence; }
constexpr int exchange_base(SweepSpec const& s, int i) { return s.step[i].exchange.base; }
constexpr bool by_full_table(SweepSpec const& s, int i) {
  return s.step[i].twiddle.kind == Twiddling::full_table;
}
constexpr bool by_chain(SweepSpec const& s, int i) { return s.step[i].twiddle.kind == Twiddling::chain; }
/// Whether the elements of step i are not in the order of a butterfly's outputs.
constexpr bool unordered(SweepSpec const& s, int i) {
  return carries_extra(s, i) || s.step[i].direct_dft.used;
}
constexpr bool twiddles_singly(SweepSpec const& s, int i) {
  return s.step[i].twiddle.kind == Twiddling::two_level && unordered(s, i);
}
constexpr bool by_two_levels(SweepSpec const& s, int i) {
  return s.step[i].twiddle.kind == Twiddling::two_level && !unordered(s, i);
}
constexpr bool waits_to_load(SweepSpec const& s) { return s.flow.dependent && !s.flow.overlaps; }
constexpr bool waits_to_store(SweepSpec const& s) { return s.flow.dependent && s.flow.overlaps; }
constexpr bool polls_early(SweepSpec const& s) { return s.flow.polls_early; }
constexpr bool discards(SweepSpec const& s) { return s.flow.discards; }
constexpr bool triggers_at_once(SweepSpec const& s) { return s.flow.triggers && !s.flow.triggers_late; }
constexpr bool triggers_after_waiting(SweepSpec const& s) { return s.flow.triggers && s.flow.triggers_late; }
constexpr Wide twiddle_rows(SweepSpec const& s, int i) { return s.step[i].twiddle.rows; }
constexpr int twiddle_shift(SweepSpec const& s, int i) { return s.step[i].twiddle.shift; }
constexpr int twiddle_table(SweepSpec const& s, int i) { return s.step[i].twiddle.table; }
constexpr int twiddle_table_low(SweepSpec const& s, int i) { return s.step[i].twiddle.table_low; }
constexpr Wide guard_bound(SweepSpec const& s, int g) { return s.guard[g].bound; }
constexpr Wide guard_first(SweepSpec const& s, int g) { return s.guard[g].first; }
constexpr bool guards_below(SweepSpec const& s, int g) { return s.guard[g].first > 0; }
/// Whether guard g holds on the side that `map` addresses: where elements are read, or where they are written.
constexpr bool guards_side(SweepSpec const& s, MapName map, int g) {
  return map == MapName::read ? s.guard[g].reads : s.guard[g].writes;
}
/// Whether guard g bounds an axis along which a row and its conjugate have two indices. Where the grid counts rows no axis is
/// padded, cropped or ragged.
constexpr bool guards_conjugates(SweepSpec const& s, int g) {
  ConjugateRows const& rows = s.hermitian.conjugate_rows;
  for (int p = 0; rows.used && rows.cluster_ranks > 1 && p < cluster_rank_digits(s, s.hermitian.step); ++p)
    if (s.guard[g].at.tile[cluster_rank_digit(s, s.hermitian.step, p)] != 0) return true;
  return false;
}
constexpr bool any_read_guard(SweepSpec const& s) {
  for (int g = 0; g < s.guards; ++g)
    if (s.guard[g].reads) return true;
  return false;
}
/// Whether what register q holds before the first exchange may be there at all, whatever the thread and the tile: else it is past
/// a guard, so zero.
constexpr PerRegister<bool> inputs_there(SweepSpec const& s) {
  PerRegister<bool> table;
  for (int q = 0; q < elements_per_thread(s, 0); ++q) {
    table.at[q] = true;
    for (int g = 0; g < s.guards; ++g)
      if (s.guard[g].reads && !guards_conjugates(s, g) &&
          register_offset(s, MapName::guard, g, 0, q) >= s.guard[g].bound)
        table.at[q] = false;
  }
  return table;
}
/// Whether step i transforms what was loaded, some of which is known to be zero.
constexpr bool transforms_zeros(SweepSpec const& s, int i) {
  if (i > 0 || s.step[0].exchange.needed || s.step[0].radix == 1) return false;
  auto const there = inputs_there(s);
  for (int q = 0; q < elements_per_thread(s, 0); ++q)
    if (!there[q]) return true;
  return false;
}
constexpr bool transforms_all(SweepSpec const& s, int i) { return !transforms_zeros(s, i); }
constexpr bool has_load_factor(SweepSpec const& s) { return s.load_factor.needed; }
constexpr bool has_store_factor(SweepSpec const& s) { return s.store_factor.needed; }
constexpr bool has_given(SweepSpec const& s, int i) { return s.step[i].middle.given; }
constexpr bool given_factors(SweepSpec const& s, MapName map, int i) {
  return map == MapName::middle && s.step[i].middle.given;
}
constexpr bool divides_singly(SweepSpec const& s) { return s.symbol.axes > 0 && s.symbol.hermitian < 0; }
constexpr bool divides_with_partners(SweepSpec const& s) {
  return s.symbol.axes > 0 && s.symbol.hermitian >= 0;
}
constexpr bool real_rader(SweepSpec const& s) { return s.rader.used && s.rader.real_rader; }
constexpr bool multiplies(SweepSpec const& s) { return s.symbol.axes == 0 && !real_rader(s); }
constexpr int symbol_axes(SweepSpec const& s) { return s.symbol.axes; }
/// Whether the registers of a thread in step i differ in their index along the axis.
constexpr bool symbol_varies(SweepSpec const& s, int axis, int i) {
  for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p)
    if (s.symbol.at[axis].tile[digit_at(s, i, p)] != 0) return true;
  return false;
}
constexpr bool symbol_stays(SweepSpec const& s, int axis, int i) { return !symbol_varies(s, axis, i); }
constexpr Wide symbol_table(SweepSpec const& s, int axis) { return s.symbol.table[axis]; }
constexpr Wide partner_table(SweepSpec const& s, int axis) {
  return axis == s.symbol.hermitian ? s.symbol.partners : s.symbol.table[axis];
}
/// As many as its index goes, past a ragged edge too.
constexpr Wide symbol_entries(SweepSpec const& s, int axis) {
  Wide last = 0;
  for (int d = 0; d < s.digits; ++d) last += s.symbol.at[axis].tile[d] * (s.extent[d] - 1);
  for (int g = 0; g < s.grids; ++g) last += s.symbol.at[axis].grid[g] * (s.grid_extent[g] - 1);
  return last + 1;
}
constexpr bool has_middle(SweepSpec const& s, int i) { return s.step[i].middle.needed; }
constexpr Wide pointwise_table(SweepSpec const& s, MapName map, int i) {
  return map == MapName::load_factor    ? s.load_factor.table
         : map == MapName::store_factor ? s.store_factor.table
                                        : s.step[i].middle.table;
}
constexpr bool swaps_read(SweepSpec const& s) { return s.swap_read; }
constexpr bool swaps_write(SweepSpec const& s) { return s.swap_write; }
constexpr bool scaled(SweepSpec const& s) { return s.scaled; }
constexpr bool sync_before_store(SweepSpec const& s) { return s.sync_before_store; }
constexpr int cluster_ranks(SweepSpec const& s) { return s.cluster_ranks; }
constexpr bool in_cluster(SweepSpec const& s) { return s.cluster_ranks > 1; }

// ---- Pre- and post-processing and the Hermitian split.

constexpr PrePostProcessing const& processing(SweepSpec const& s, MapName side) {
  return side == MapName::pre ? s.pre : s.post;
}
constexpr bool real(SweepSpec const& s, MapName side) { return processing(s, side).real; }
constexpr bool real_axis(SweepSpec const& s, MapName side) { return processing(s, side).real_axis; }
/// Whether a side has a load or store callback.
constexpr bool has_callback(SweepSpec const& s, MapName side) { return processing(s, side).callback; }
/// Whether the callback takes complex numbers, or each real of a pair that moves as one complex number.
constexpr bool has_complex_callback(SweepSpec const& s, MapName side) {
  return has_callback(s, side) && !processing(s, side).pairs && !processing(s, side).real;
}
constexpr bool has_real_callback(SweepSpec const& s, MapName side) {
  return has_callback(s, side) && processing(s, side).pairs;
}
constexpr bool in_full(SweepSpec const& s, MapName side) {
  return processing(s, side).storage == Storage::full;
}
constexpr bool in_f16(SweepSpec const& s, MapName side) {
  return processing(s, side).storage == Storage::f16;
}
constexpr bool in_bf16(SweepSpec const& s, MapName side) {
  return processing(s, side).storage == Storage::bf16;
}
/// Whether a side moves complex numbers as they stand, or pre- or post-processes them.
constexpr bool plain(SweepSpec const& s, MapName side) { return !real_axis(s, side) && !real(s, side); }
constexpr bool processed(SweepSpec const& s, MapName side) { return !plain(s, side); }
/// The largest offset that tile, thread and cluster rank together add to an affine map in step i.
constexpr Wide max_tile_thread_offset(SweepSpec const& s, MapName map, int which, int i) {
  Wide most = 0;
  for (int d = 0; d < s.digits; ++d) most += weight(s, map, which, d) * (s.extent[d] - 1);
  for (int p = first_register(s, i); p < first_cluster_rank(s, i); ++p)
    most -= weight(s, map, which, digit_at(s, i, p)) * (extent_at(s, i, p) - 1);
  for (int g = 0; g < s.grids; ++g) most += grid_weight(s, map, which, g) * (s.grid_extent[g] - 1);
  return most;
}
constexpr bool has_extra(SweepSpec const& s, MapName side) { return processing(s, side).extra; }
constexpr bool rotates(SweepSpec const& s, MapName side) { return processing(s, side).rotation.used; }
constexpr Rotation const& rotation(SweepSpec const& s, MapName map) {
  return map == MapName::rotation ? s.hermitian.rotation
         : map == MapName::cross  ? s.hermitian.crossed_axis.rotation
                                  : processing(s, map).rotation;
}
constexpr bool rotated(SweepSpec const& s, MapName map) { return rotation(s, map).used; }
constexpr bool rotates_by_constants(SweepSpec const& s, MapName map) { return rotation(s, map).order > 0; }
/// Whether the registers of step i are so far apart that one factor of a cut rotation, and one of its other table's
/// entries, which is the same for all threads, make each of theirs.
constexpr bool rotates_evenly(SweepSpec const& s, MapName map, int i) {
  Rotation const& r = rotation(s, map);
  for (int q = 0; q < elements_per_thread(s, i); ++q)
    if (r.scale * register_offset(s, map, 0, i, q) % (Wide(1) << r.bits) != 0) return false;
  return r.split && r.order == 0;
}
constexpr bool splits(SweepSpec const& s, int i) {
  return s.hermitian.used && !s.hermitian.in_middle && s.hermitian.step == i;
}
constexpr bool splits_first(SweepSpec const& s, int i) {
  return splits(s, i) && s.hermitian.before_butterflies;
}
/// Whether element 0 and the extra one may be loaded with imaginary parts that should be zero. Reals have none.
constexpr bool drops_imaginary_ends(SweepSpec const& s, int i) { return splits_first(s, i) && !s.pre.real; }
/// Steps that have the extra element beside the others: those from a Hermitian split after the last butterfly on.
constexpr bool carries_extra(SweepSpec const& s, int i) {
  return s.hermitian.used && !s.hermitian.in_middle && !s.hermitian.before_butterflies &&
         i >= s.hermitian.step;
}
constexpr bool crosses(SweepSpec const& s) { return s.hermitian.crossed_axis.used; }
constexpr bool crosses_before(SweepSpec const& s) { return crosses(s) && !s.hermitian.before_butterflies; }
constexpr bool crosses_after(SweepSpec const& s) { return crosses(s) && s.hermitian.before_butterflies; }
/// Whether the rows of another cosine axis are read, or written, in Makhoul's order.
constexpr bool crosses_side(SweepSpec const& s, MapName side) {
  return side == MapName::read ? crosses_before(s) : crosses_after(s);
}
constexpr CrossedAxis crossed_axis_of(SweepSpec const& s) { return s.hermitian.crossed_axis; }
constexpr int hermitian_step(SweepSpec const& s) { return s.hermitian.step; }
constexpr int hermitian_digits(SweepSpec const& s) { return s.hermitian.digits; }
constexpr int hermitian_extent(SweepSpec const& s, int m) { return s.hermitian.extent[m]; }
constexpr int hermitian_weight(SweepSpec const& s, int m) { return s.hermitian.weight[m]; }
constexpr bool hermitian_negates(SweepSpec const& s) { return s.hermitian.negate; }
constexpr bool by_columns(SweepSpec const& s) { return s.hermitian.columns; }
constexpr bool by_rows(SweepSpec const& s) { return !s.hermitian.columns; }
/// From the place of row 0 to that of the extra one.
constexpr int hermitian_far(SweepSpec const& s) {
  return s.hermitian.weight[0] * s.hermitian.extent[0] / (s.hermitian.columns ? 2 : 1);
}
/// The index of the extra row of a Hermitian split by columns.
constexpr int half_way(SweepSpec const& s) { return s.hermitian.columns ? s.hermitian.extent[0] / 2 : 0; }
constexpr HermitianSplit const& hermitian_of(SweepSpec const& s) { return s.hermitian; }
/// From the place of index i of Hermitian digit m to that of -i.
template <class Number>
constexpr Number hermitian_hop(HermitianSplit const& hermitian, int m, Number i) {
  Number const hop = hermitian.weight[m] * (hermitian.extent[m] - 2 * i);
  return select(i != 0 || (m == 0 && hermitian.before_butterflies), hop, Number(0));
}

/// Whether the extra elements are worked out before what they come from is written over.
constexpr bool keeps_extra(SweepSpec const& s) { return s.post.coalesced_pairs > 0; }
constexpr bool has_conjugate_rows(SweepSpec const& s) { return s.hermitian.conjugate_rows.used; }
/// Whether the grid, or the ranks of a cluster, count rows with conjugate rows.
constexpr bool has_grid_conjugates(SweepSpec const& s) {
  return has_conjugate_rows(s) && s.hermitian.conjugate_rows.cluster_ranks == 1;
}
constexpr bool has_rank_conjugates(SweepSpec const& s) {
  return has_conjugate_rows(s) && s.hermitian.conjugate_rows.cluster_ranks > 1;
}
/// Whether it is one line that a cluster holds: then a few partners are with other blocks.
constexpr bool has_conjugate_lines(SweepSpec const& s) {
  return has_rank_conjugates(s) && s.hermitian.conjugate_rows.unit > 1;
}
constexpr bool splits_across(SweepSpec const& s, int i) { return has_conjugate_lines(s) && splits(s, i); }
constexpr bool splits_within(SweepSpec const& s) { return !has_conjugate_lines(s); }
constexpr bool has_conjugate_registers(SweepSpec const& s, int i) {
  for (int q = 0; q < elements_per_thread(s, i); ++q)
    if (register_offset(s, MapName::conjugate, i, i, q) != 0) return true;
  return false;
}
/// Whether ranks count these rows in the assignment of step i, as they do where the Hermitian split is.
constexpr bool ranks_are_rows(SweepSpec const& s, int i) {
  if (!has_rank_conjugates(s) || cluster_rank_digits(s, i) != cluster_rank_digits(s, s.hermitian.step))
    return false;
  for (int p = 0; p < cluster_rank_digits(s, i); ++p)
    if (cluster_rank_digit(s, i, p) != cluster_rank_digit(s, s.hermitian.step, p)) return false;
  return true;
}
/// Whether the exchange into step i takes rows to the blocks that count them, or from these.
constexpr bool to_rows(SweepSpec const& s, int i) {
  return s.step[i].exchange.remote && ranks_are_rows(s, i) && !ranks_are_rows(s, step_before(s, i));
}
constexpr bool from_rows(SweepSpec const& s, int i) {
  return s.step[i].exchange.remote && !ranks_are_rows(s, i) && ranks_are_rows(s, step_before(s, i));
}
constexpr ConjugateRows const& conjugate_rows_of(SweepSpec const& s) { return s.hermitian.conjugate_rows; }
constexpr int negated_digits(SweepSpec const& s) { return s.hermitian.conjugate_rows.negated; }
constexpr bool above_grid_conjugates(SweepSpec const& s, int m) {
  return has_grid_conjugates(s) && s.hermitian.conjugate_rows.above[m] > 0;
}
constexpr bool above_rank_conjugates(SweepSpec const& s, int m) {
  return has_rank_conjugates(s) && s.hermitian.conjugate_rows.above[m] > 0;
}
constexpr Wide rows_half_way(SweepSpec const& s) {
  return s.grid_extent[s.hermitian.conjugate_rows.grid[s.hermitian.conjugate_rows.half]];
}

// ---- Rader.

constexpr bool by_rader(SweepSpec const& s) { return s.rader.used; }
constexpr bool across_cluster(SweepSpec const& s) { return s.rader.used && s.rader.across_cluster; }
constexpr bool ordered_on_chip(SweepSpec const& s) { return s.rader.used && !s.rader.across_cluster; }
/// Whether the exchange into step i is read, or written, in Rader's order.
constexpr bool reads_rader_order(SweepSpec const& s, int i) { return ordered_on_chip(s) && i == 1; }
constexpr bool writes_rader_order(SweepSpec const& s, int i) {
  return ordered_on_chip(s) && i == s.steps - 1;
}
/// Whether step i is the first to be exchanged into after the middle, so that sums are put beside it.
constexpr bool follows_middle(SweepSpec const& s, int i) {
  if (!ordered_on_chip(s) || !s.step[i].exchange.needed) return false;
  for (int before = i - 1; before >= 0; --before) {
    if (s.step[before].middle.needed) return true;
    if (s.step[before].exchange.needed) return false;
  }
  return false;
}
/// Of lines by real Rader: the same, which side is complex, and how many pairs there are.
constexpr bool reads_real_rader(SweepSpec const& s, int i) {
  return real_rader(s) && reads_rader_order(s, i);
}
constexpr bool writes_real_rader(SweepSpec const& s, int i) {
  return real_rader(s) && writes_rader_order(s, i);
}
constexpr bool loads_spectrum(SweepSpec const& s) { return real_rader(s) && !s.pre.real; }
constexpr bool stores_spectrum(SweepSpec const& s) { return real_rader(s) && !s.post.real; }
constexpr int real_rader_points(SweepSpec const& s) { return (s.rader.prime - 1) / 2; }
constexpr int last_real_pair(SweepSpec const& s) { return s.rader.pitch * (s.rader.prime - 2); }
constexpr bool reads_complex_rader(SweepSpec const& s, int i) {
  return reads_rader_order(s, i) && !real_rader(s);
}
constexpr bool writes_complex_rader(SweepSpec const& s, int i) {
  return writes_rader_order(s, i) && !real_rader(s);
}
constexpr int lines_step(SweepSpec const& s) { return s.steps; }
constexpr int rader_table(SweepSpec const& s) { return s.rader.table; }
constexpr int middle_step(SweepSpec const& s) {
  int i = 0;
  while (i < s.steps - 1 && !s.step[i].middle.needed) ++i;
  return i;
}
/// Whether the exchange into step i takes a line across a cluster into Rader's order, or back; and how many of its points a
/// block has.
constexpr bool routes_in(SweepSpec const& s, int i) { return across_cluster(s) && i == 1; }
constexpr bool routes_out(SweepSpec const& s, int i) { return across_cluster(s) && i == s.steps - 1; }
constexpr bool not_across_cluster(SweepSpec const& s, int i) { return !routes_in(s, i) && !routes_out(s, i); }
constexpr int across_cluster_points(SweepSpec const& s) { return s.rader.prime - 1; }
constexpr int across_cluster_points_per_block(SweepSpec const& s) {
  return (s.rader.prime - 1) / s.cluster_ranks;
}
/// Whether outputs go to several arrays, and how many elements, or pairs of reals, each base address stands for; whether the
/// output is put together in shared memory (plan/lower/coalesce.h) or stored directly.
constexpr bool stores_to_peers(SweepSpec const& s) { return s.post.peer_unit > 0; }
constexpr bool stores_to_one(SweepSpec const& s) { return !stores_to_peers(s); }
constexpr Wide peer_unit(SweepSpec const& s) { return s.post.peer_unit; }
constexpr Wide pair_unit(SweepSpec const& s) { return s.post.peer_unit / (s.post.pairs ? 2 : 1); }
constexpr bool coalesced(SweepSpec const& s) { return s.post.coalesced_pairs > 0; }
constexpr bool stores_directly(SweepSpec const& s) { return !coalesced(s); }
/// Whether tiles begin within sectors: then the threads begin before them, at a multiple of so many pairs.
constexpr int sector_pairs(SweepSpec const& s) { return in_full(s, MapName::post) ? 4 : 8; }
constexpr bool coalesced_unaligned(SweepSpec const& s) {
  for (int g = 0; g < s.grids; ++g)
    if (s.write.grid[g] / (s.post.real ? 2 : 1) % sector_pairs(s) != 0) return true;
  return false;
}
constexpr int coalesced_rounds(SweepSpec const& s) {
  int const before = coalesced_unaligned(s) ? sector_pairs(s) - 1 : 0;
  return (s.post.coalesced_pairs + before + s.threads - 1) / s.threads;
}
constexpr int threads(SweepSpec const& s) { return s.threads; }
constexpr int makhoul_last(SweepSpec const& s, int i) { return int(2 * makhoul_side(s, i).extent - 1); }
constexpr bool makhoul_flips(SweepSpec const& s, int i) { return makhoul_side(s, i).gather_index[0].flip; }
/// From where an affine map has the first of all elements to where the first one is that a step loads or stores.
constexpr Wide first_offset(SweepSpec const& s, MapName map) {
  return map == MapName::read ? s.rader.read : s.rader.write - s.cropped;
}

// ---- Lines by Rader that stay in their places (rader_lines.h).

constexpr bool shared_rader(SweepSpec const& s) { return s.shared_rader.radices > 0; }
constexpr int first_rader_radix(SweepSpec const&) { return 0; }
constexpr int last_rader_radix(SweepSpec const& s) { return s.shared_rader.radices - 1; }
constexpr int rader_lines(SweepSpec const& s) { return s.shared_rader.lines; }
/// From a line to the next.
constexpr int rader_pitch(SweepSpec const& s) { return s.shared_rader.prime; }
constexpr int rader_radix(SweepSpec const& s, int i) { return s.shared_rader.radix[i]; }
constexpr int rader_place_table(SweepSpec const& s) { return s.shared_rader.table; }
constexpr int rader_spectrum_table(SweepSpec const& s) { return s.shared_rader.spectrum; }
/// Radices between the first and the last, in the order of the way there, and back.
constexpr int inner_rader_radices(SweepSpec const& s) { return s.shared_rader.radices - 2; }
constexpr int radix_there(SweepSpec const& s, int i) { return s.shared_rader.radices - 2 - i; }
constexpr int radix_back(SweepSpec const&, int i) { return 1 + i; }
/// Between the elements of a butterfly, and how many butterflies a line has.
constexpr int rader_stride(SweepSpec const& s, int i) {
  int stride = 1;
  for (int j = i + 1; j < s.shared_rader.radices; ++j) stride *= s.shared_rader.radix[j];
  return stride;
}
constexpr int rader_butterflies(SweepSpec const& s, int i) {
  return (s.shared_rader.prime - 1) / s.shared_rader.radix[i];
}
/// Whether neighbouring threads have different lines: these meet in no bank, as many as there are, since the pitch is odd;
/// neighbouring butterflies of a line meet only in the order of memory, but there the more.
constexpr bool lines_first(SweepSpec const& s, int i) {
  return s.shared_rader.lines % 16 == 0 || (i == s.shared_rader.radices - 1 && s.shared_rader.lines >= 8);
}
/// Butterflies that a thread has in registers at once, of at most 16 elements together where they are short, and how many rounds
/// that takes. The bound is a choice, not measured.
constexpr int rader_butterflies_at_once(SweepSpec const& s, int i) {
  constexpr int comfortable = 16;
  int const all = (rader_butterflies(s, i) * s.shared_rader.lines + s.threads - 1) / s.threads,
            most = s.shared_rader.radix[i] < comfortable ? comfortable / s.shared_rader.radix[i] : 1;
  int const rounds = (all + most - 1) / most;
  return (all + rounds - 1) / rounds;
}
constexpr int rader_rounds(SweepSpec const& s, int i) {
  int const at_once = s.threads * rader_butterflies_at_once(s, i);
  return (rader_butterflies(s, i) * s.shared_rader.lines + at_once - 1) / at_once;
}

// ---- Digits that a direct DFT transforms on the way into step i: by their matrix, or by symmetry.

constexpr bool is_direct_dft(SweepSpec const& s, int i) { return s.step[i].direct_dft.used; }
constexpr bool any_direct_dft(SweepSpec const& s) {
  for (int i = 0; i < s.steps; ++i)
    if (is_direct_dft(s, i)) return true;
  return false;
}
constexpr bool by_symmetry(SweepSpec const& s, int i) {
  return s.step[i].direct_dft.used && s.step[i].direct_dft.symmetric;
}
constexpr bool by_its_matrix(SweepSpec const& s, int i) {
  return s.step[i].direct_dft.used && !s.step[i].direct_dft.symmetric;
}
constexpr int block_threads(SweepSpec const& s) { return s.threads; }
constexpr int matrix_dft_table(SweepSpec const& s, int i) { return s.step[i].direct_dft.table; }
constexpr int direct_dft_length(SweepSpec const& s, int i) { return s.extent[s.step[i].direct_dft.digit]; }
constexpr int direct_dft_pitch(SweepSpec const& s, int i) {
  return s.step[i].exchange.weight[s.step[i].direct_dft.digit];
}
/// Lines of the digit, and what each of the others adds to the place of a line.
constexpr AffineTerms line_terms(SweepSpec const& s, int i) {
  AffineTerms all;
  int span = 1;
  for (int d = 0; d < s.digits; ++d) {
    if (d == s.step[i].direct_dft.digit) continue;
    all.add(span, s.extent[d], s.step[i].exchange.weight[d]);
    span *= s.extent[d];
  }
  return all;
}
constexpr int line_term_count(SweepSpec const& s, int i) { return line_terms(s, i).count; }
constexpr int direct_dft_lines(SweepSpec const& s, int i) {
  int lines = 1;
  for (int d = 0; d < s.digits; ++d)
    if (d != s.step[i].direct_dft.digit) lines *= s.extent[d];
  return lines;
}
/// The matrix has n/2+1 rows and columns: blocks of sixteen rows and of four columns, the columns by four blocks and by one.
constexpr int blocks_of_rows(int n) { return (n / 2 + 16) / 16; }
constexpr int blocks_of_columns(int n) { return (n / 2 + 4) / 4; }
/// The longest line of which a warp has registers for both sums; of longer ones it has one (symmetric_dft.h). In points.
/// Fitted: bench/results/h200-choices.md.
inline constexpr int max_length_of_both_sums = 103;
constexpr bool one_sum_per_warp(SweepSpec const& s, int i) {
  return by_symmetry(s, i) && direct_dft_length(s, i) > max_length_of_both_sums;
}
constexpr bool both_sums_per_warp(SweepSpec const& s, int i) {
  return by_symmetry(s, i) && !one_sum_per_warp(s, i);
}
/// Lines that a warp transforms at once.
constexpr int direct_dft_lines_per_warp(SweepSpec const& s, int i) { return by_symmetry(s, i) ? 16 : 8; }
inline constexpr int max_matrix_dft_blocks = blocks_of_columns(max_direct_dft);
constexpr int matrix_row_blocks(SweepSpec const& s, int i) { return blocks_of_rows(direct_dft_length(s, i)); }
constexpr int matrix_dft_blocks(SweepSpec const& s, int i) {
  return blocks_of_columns(direct_dft_length(s, i));
}
constexpr int matrix_dft_fours(SweepSpec const& s, int i) { return matrix_dft_blocks(s, i) / 4; }
constexpr int matrix_dft_ones(SweepSpec const& s, int i) { return matrix_dft_blocks(s, i) % 4; }

/// The power of two in k: k = 2^log2_of(k) + something below.
constexpr int log2_of(int k) {
  int r = 0;
  while (k >>= 1) ++r;
  return r;
}

// ---- Twiddles that are read before the data: how many a thread has of a step, and where these begin among those of all.

constexpr bool preloads_twiddles(SweepSpec const& s) { return s.preloads_twiddles; }
constexpr bool loads_twiddles_late(SweepSpec const& s) { return !s.preloads_twiddles; }
constexpr bool preloads_full_table(SweepSpec const& s, int i) {
  return s.preloads_twiddles && by_full_table(s, i);
}
constexpr bool preloads_chain(SweepSpec const& s, int i) { return s.preloads_twiddles && by_chain(s, i); }
constexpr bool preloads_two_levels(SweepSpec const& s, int i) {
  return s.preloads_twiddles && by_two_levels(s, i);
}
/// Of one butterfly; a full table has one for each element.
constexpr int chain_powers(SweepSpec const& s, int i) {
  return s.step[i].radix > 1 ? log2_of(s.step[i].radix - 1) + 1 + by_two_levels(s, i) : 1;
}
constexpr int twiddle_count(SweepSpec const& s, int i) {
  if (by_full_table(s, i)) return elements_per_thread(s, i);
  return by_chain(s, i) || by_two_levels(s, i)
             ? elements_per_thread(s, i) / s.step[i].radix * chain_powers(s, i)
             : 0;
}
constexpr int first_twiddle(SweepSpec const& s, int i) {
  int n = 0;
  for (int j = 0; j < i; ++j) n += twiddle_count(s, j);
  return n;
}
constexpr int all_twiddles(SweepSpec const& s) { return s.preloads_twiddles ? first_twiddle(s, s.steps) : 0; }
inline constexpr int max_twiddles = 64;

// ---- Where 32 bits suffice: 64-bit divisions and products cost a GPU several times as much.

inline constexpr Wide int32_bound = Wide(1) << 31;

// ---- L2 prefetch. Each thread prefetches a few pieces of the runs in which a later tile stands in memory.

constexpr bool prefetches_first(SweepSpec const& s) {
  return s.prefetch.distance > 0 && s.prefetch.before_loads;
}
constexpr bool prefetches_after(SweepSpec const& s) {
  return s.prefetch.distance > 0 && !s.prefetch.before_loads;
}
constexpr Wide prefetch_distance(SweepSpec const& s) { return s.prefetch.distance; }
/// A real axis is one digit more, all that is stored of it; what tells rows from conjugate rows has no place of its own.
struct ReadRun {
  Wide length = 1;                  // numbers that a tile reads in a row
  bool taken[max_digits + 1] = {};  // by which digits; a real axis is one more
};
constexpr int read_digits(SweepSpec const& s) { return s.digits + s.pre.real_axis; }
constexpr Wide read_stride(SweepSpec const& s, int d) {
  CrossedAxis const& c = s.hermitian.crossed_axis;  // all of whose rows are read, whatever their order
  return d < s.digits ? s.read.tile[d] + (crosses_before(s) ? c.stride * c.row.tile[d] : 0) : s.pre.stride;
}
constexpr int read_extent(SweepSpec const& s, int d) { return d < s.digits ? s.extent[d] : int(s.pre.limit); }
constexpr ReadRun read_run(SweepSpec const& s) {
  ReadRun run;
  for (int d = 0; d < read_digits(s); ++d)
    if (!run.taken[d] && read_stride(s, d) == run.length && read_extent(s, d) > 1) {
      run.taken[d] = true;
      run.length *= read_extent(s, d);
      d = -1;
    }
  return run;
}
constexpr AffineTerms prefetch_terms(SweepSpec const& s) {
  AffineTerms pieces;
  ReadRun const run = read_run(s);
  int span = int((run.length + s.prefetch.piece - 1) / s.prefetch.piece);
  pieces.add(1, span, s.prefetch.piece);
  for (int d = 0; d < read_digits(s); ++d)
    if (!run.taken[d] && read_stride(s, d) != 0) {
      pieces.add(span, read_extent(s, d), read_stride(s, d));
      span *= read_extent(s, d);
    }
  return pieces;
}
constexpr int prefetch_term_count(SweepSpec const& s) { return prefetch_terms(s).count; }
constexpr int prefetch_count(SweepSpec const& s) {
  AffineTerms const pieces = prefetch_terms(s);
  return int(pieces.span[pieces.count - 1] * pieces.extent[pieces.count - 1]);
}
constexpr int prefetch_rounds(SweepSpec const& s) {
  return (prefetch_count(s) + s.threads * s.cluster_ranks - 1) / (s.threads * s.cluster_ranks);
}
/// The last value that the tile's digits add to a guard.
constexpr Wide guard_reach(SweepSpec const& s, int g) {
  Wide reach = 0;
  for (int d = 0; d < s.digits; ++d) reach += s.guard[g].at.tile[d] * (s.extent[d] - 1);
  return reach;
}

constexpr bool few_tiles(SweepSpec const& s) {
  Wide n = 1;
  for (int g = 0; g < s.grids; ++g) n *= s.grid_extent[g];
  return n < int32_bound;
}
constexpr bool small_guard(SweepSpec const& s, int g) {
  Guard const& guard = s.guard[g];
  Wide most = guard.bound;
  for (int d = 0; d < s.digits; ++d) most += guard.at.tile[d] * (s.extent[d] - 1);
  for (int d = 0; d < s.grids; ++d) most += guard.at.grid[d] * (s.grid_extent[d] - 1);
  return most < int32_bound;
}
constexpr bool small_exponent(SweepSpec const& s, int i) {
  Twiddle const& twiddle = s.step[i].twiddle;
  Wide k = 0, low = 0;
  for (int d = 0; d < s.digits; ++d) {
    k += twiddle.k[d] * (s.extent[d] - 1);
    low += twiddle.low.tile[d] * (s.extent[d] - 1);
  }
  for (int g = 0; g < s.grids; ++g) low += twiddle.low.grid[g] * (s.grid_extent[g] - 1);
  return k == 0 || low < int32_bound / k;
}

}  // namespace skipper::kernel
