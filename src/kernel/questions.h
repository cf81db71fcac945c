#pragma once
// Questions to a spec beside those to its maps (spec.h) and forms (sums.h): what its exchanges, twiddles, guards, ends,
// mirror, powers and matrices are like, and where narrow numbers suffice.
#include "kernel/radices.h"
#include "kernel/sums.h"

namespace skipper::kernel {

constexpr bool carries_extra(SweepSpec const& s, int i);
constexpr bool not_routed(SweepSpec const& s, int i);
/// Whether step i is reached through an exchange by weights.
constexpr bool exchanged(SweepSpec const& s, int i) { return s.step[i].exchange.needed && not_routed(s, i); }
constexpr bool remote(SweepSpec const& s, int i) { return s.step[i].exchange.remote; }
constexpr bool kept_in(SweepSpec const& s, int i) { return s.step[i].exchange.keep; }
/// Whether registers move through it two at a time, and how many twos step i holds.
constexpr bool abreast(SweepSpec const& s, int i) { return s.step[i].exchange.abreast; }
constexpr int twos_held(SweepSpec const& s, int i) { return held(s, i) / 2; }
constexpr bool fenced(SweepSpec const& s, int i) { return s.step[i].exchange.fence; }
constexpr int exchange_base(SweepSpec const& s, int i) { return s.step[i].exchange.base; }
constexpr bool by_matrix(SweepSpec const& s, int i) { return s.step[i].twiddle.kind == Twiddling::matrix; }
constexpr bool by_ladder(SweepSpec const& s, int i) { return s.step[i].twiddle.kind == Twiddling::ladder; }
/// Whether no butterfly of the step gives its elements an order.
constexpr bool unordered(SweepSpec const& s, int i) { return carries_extra(s, i) || s.step[i].dense.used; }
constexpr bool twiddles_singly(SweepSpec const& s, int i) {
  return s.step[i].twiddle.kind == Twiddling::product && unordered(s, i);
}
constexpr bool by_product(SweepSpec const& s, int i) {
  return s.step[i].twiddle.kind == Twiddling::product && !unordered(s, i);
}
constexpr bool awaits_to_load(SweepSpec const& s) { return s.flow.early && !s.flow.overlaps; }
constexpr bool awaits_to_store(SweepSpec const& s) { return s.flow.early && s.flow.overlaps; }
constexpr bool looks(SweepSpec const& s) { return s.flow.looks; }
constexpr bool discards(SweepSpec const& s) { return s.flow.discards; }
constexpr bool announces_at_once(SweepSpec const& s) { return s.flow.announces && !s.flow.patient; }
constexpr bool announces_after_waiting(SweepSpec const& s) { return s.flow.announces && s.flow.patient; }
constexpr Wide twiddle_rows(SweepSpec const& s, int i) { return s.step[i].twiddle.rows; }
constexpr int twiddle_shift(SweepSpec const& s, int i) { return s.step[i].twiddle.shift; }
constexpr int twiddle_table(SweepSpec const& s, int i) { return s.step[i].twiddle.table; }
constexpr int twiddle_table_low(SweepSpec const& s, int i) { return s.step[i].twiddle.table_low; }
constexpr Wide guard_bound(SweepSpec const& s, int g) { return s.guard[g].bound; }
constexpr Wide guard_first(SweepSpec const& s, int g) { return s.guard[g].first; }
constexpr bool guards_below(SweepSpec const& s, int g) { return s.guard[g].first > 0; }
/// Whether guard g holds on the side that `sum` addresses: where elements are read, or where they are written.
constexpr bool guards_side(SweepSpec const& s, Sum sum, int g) {
  return sum == Sum::read ? s.guard[g].reads : s.guard[g].writes;
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
  for (int q = 0; q < held(s, 0); ++q) {
    table.at[q] = true;
    for (int g = 0; g < s.guards; ++g)
      if (s.guard[g].reads && register_part(s, Sum::guard, g, 0, q) >= s.guard[g].bound) table.at[q] = false;
  }
  return table;
}
/// Whether step i transforms what was loaded, some of which is known to be zero.
constexpr bool transforms_zeros(SweepSpec const& s, int i) {
  if (i > 0 || s.step[0].exchange.needed || s.step[0].radix == 1) return false;
  auto const there = inputs_there(s);
  for (int q = 0; q < held(s, 0); ++q)
    if (!there[q]) return true;
  return false;
}
constexpr bool transforms_all(SweepSpec const& s, int i) { return !transforms_zeros(s, i); }
constexpr bool has_load_end(SweepSpec const& s) { return s.load_end.needed; }
constexpr bool has_store_end(SweepSpec const& s) { return s.store_end.needed; }
constexpr bool has_given(SweepSpec const& s, int i) { return s.step[i].middle.given; }
constexpr bool given_factors(SweepSpec const& s, Sum sum, int i) {
  return sum == Sum::middle && s.step[i].middle.given;
}
constexpr bool divides_singly(SweepSpec const& s) { return s.symbol.axes > 0 && s.symbol.mirrored < 0; }
constexpr bool divides_with_partners(SweepSpec const& s) {
  return s.symbol.axes > 0 && s.symbol.mirrored >= 0;
}
constexpr bool opposites(SweepSpec const& s) { return s.powers.used && s.powers.opposites; }
constexpr bool multiplies(SweepSpec const& s) { return s.symbol.axes == 0 && !opposites(s); }
constexpr int symbol_axes(SweepSpec const& s) { return s.symbol.axes; }
/// Whether the registers of a thread in step i differ in their index along the axis.
constexpr bool symbol_varies(SweepSpec const& s, int axis, int i) {
  for (int p = first_register(s, i); p < first_rank(s, i); ++p)
    if (s.symbol.at[axis].tile[digit_at(s, i, p)] != 0) return true;
  return false;
}
constexpr bool symbol_stays(SweepSpec const& s, int axis, int i) { return !symbol_varies(s, axis, i); }
constexpr Wide symbol_table(SweepSpec const& s, int axis) { return s.symbol.table[axis]; }
constexpr Wide partner_table(SweepSpec const& s, int axis) {
  return axis == s.symbol.mirrored ? s.symbol.partners : s.symbol.table[axis];
}
/// As many as its index goes, past a ragged edge too.
constexpr Wide symbol_entries(SweepSpec const& s, int axis) {
  Wide last = 0;
  for (int d = 0; d < s.digits; ++d) last += s.symbol.at[axis].tile[d] * (s.extent[d] - 1);
  for (int g = 0; g < s.grids; ++g) last += s.symbol.at[axis].grid[g] * (s.grid_extent[g] - 1);
  return last + 1;
}
constexpr bool has_middle(SweepSpec const& s, int i) { return s.step[i].middle.needed; }
constexpr Wide pointwise_table(SweepSpec const& s, Sum sum, int i) {
  return sum == Sum::load_end    ? s.load_end.table
         : sum == Sum::store_end ? s.store_end.table
                                 : s.step[i].middle.table;
}
constexpr bool swaps_read(SweepSpec const& s) { return s.swap_read; }
constexpr bool swaps_write(SweepSpec const& s) { return s.swap_write; }
constexpr bool scaled(SweepSpec const& s) { return s.scaled; }
constexpr bool waits(SweepSpec const& s) { return s.waits; }
constexpr int ranks(SweepSpec const& s) { return s.ranks; }
constexpr bool in_cluster(SweepSpec const& s) { return s.ranks > 1; }

// ---- The ends and the mirror.

constexpr End const& end(SweepSpec const& s, Sum side) { return side == Sum::head ? s.head : s.tail; }
constexpr bool real(SweepSpec const& s, Sum side) { return end(s, side).real; }
constexpr bool folded(SweepSpec const& s, Sum side) { return end(s, side).folded; }
/// Whether a user's function sees the elements of a side, and of those that move in pairs each number or the whole.
constexpr bool seen(SweepSpec const& s, Sum side) { return end(s, side).user; }
constexpr bool seen_whole(SweepSpec const& s, Sum side) { return seen(s, side) && !end(s, side).pairs; }
constexpr bool seen_singly(SweepSpec const& s, Sum side) { return seen(s, side) && end(s, side).pairs; }
constexpr bool in_full(SweepSpec const& s, Sum side) { return end(s, side).storage == Storage::full; }
constexpr bool in_f16(SweepSpec const& s, Sum side) { return end(s, side).storage == Storage::f16; }
constexpr bool in_bf16(SweepSpec const& s, Sum side) { return end(s, side).storage == Storage::bf16; }
/// Whether an end moves complex numbers as they stand, or shapes them.
constexpr bool plain(SweepSpec const& s, Sum side) { return !folded(s, side) && !real(s, side); }
constexpr bool shaped(SweepSpec const& s, Sum side) { return !plain(s, side); }
/// How much at most the grid, the thread and the rank add to a form in step i.
constexpr Wide most_beside(SweepSpec const& s, Sum form, int which, int i) {
  Wide most = 0;
  for (int d = 0; d < s.digits; ++d) most += weight(s, form, which, d) * (s.extent[d] - 1);
  for (int p = first_register(s, i); p < first_rank(s, i); ++p)
    most -= weight(s, form, which, digit_at(s, i, p)) * (extent_at(s, i, p) - 1);
  for (int g = 0; g < s.grids; ++g) most += grid_weight(s, form, which, g) * (s.grid_extent[g] - 1);
  return most;
}
constexpr bool has_extra(SweepSpec const& s, Sum side) { return end(s, side).extra; }
constexpr bool rotates(SweepSpec const& s, Sum side) { return end(s, side).rotation.used; }
constexpr Rotation const& rotation(SweepSpec const& s, Sum form) {
  return form == Sum::turn    ? s.mirror.rotation
         : form == Sum::cross ? s.mirror.crossing.rotation
                              : end(s, form).rotation;
}
constexpr bool rotated(SweepSpec const& s, Sum form) { return rotation(s, form).used; }
constexpr bool turns_by_constants(SweepSpec const& s, Sum form) { return rotation(s, form).order > 0; }
/// Whether the registers of step i are so far apart that one factor of a cut rotation, and one of its other table's
/// entries, which is the same for all threads, make each of theirs.
constexpr bool rotates_evenly(SweepSpec const& s, Sum form, int i) {
  Rotation const& r = rotation(s, form);
  for (int q = 0; q < held(s, i); ++q)
    if (r.scale * register_part(s, form, 0, i, q) % (Wide(1) << r.bits) != 0) return false;
  return r.split && r.order == 0;
}
constexpr bool mirrors(SweepSpec const& s, int i) {
  return s.mirror.used && !s.mirror.amid && s.mirror.step == i;
}
constexpr bool mirrors_head(SweepSpec const& s, int i) { return mirrors(s, i) && s.mirror.head; }
/// Whether element 0 of a head and the extra one may have parts that should be zero: what taps make of reals has none.
constexpr bool frees_ends(SweepSpec const& s, int i) { return mirrors_head(s, i) && !s.head.real; }
/// Steps that have the extra element beside the others: those from a mirror after the last butterfly on.
constexpr bool carries_extra(SweepSpec const& s, int i) {
  return s.mirror.used && !s.mirror.amid && !s.mirror.head && i >= s.mirror.step;
}
constexpr bool crosses(SweepSpec const& s) { return s.mirror.crossing.used; }
constexpr bool crosses_before(SweepSpec const& s) { return crosses(s) && !s.mirror.head; }
constexpr bool crosses_after(SweepSpec const& s) { return crosses(s) && s.mirror.head; }
/// Whether the rows of another cosine axis are read, or written, in zigzag.
constexpr bool crosses_side(SweepSpec const& s, Sum side) {
  return side == Sum::read ? crosses_before(s) : crosses_after(s);
}
constexpr Crossing crossing_of(SweepSpec const& s) { return s.mirror.crossing; }
constexpr int mirror_step(SweepSpec const& s) { return s.mirror.step; }
constexpr int mirror_digits(SweepSpec const& s) { return s.mirror.digits; }
constexpr int mirror_extent(SweepSpec const& s, int m) { return s.mirror.extent[m]; }
constexpr int mirror_weight(SweepSpec const& s, int m) { return s.mirror.weight[m]; }
constexpr bool mirror_negates(SweepSpec const& s) { return s.mirror.negate; }
constexpr bool by_columns(SweepSpec const& s) { return s.mirror.columns; }
constexpr bool by_itself(SweepSpec const& s) { return !s.mirror.columns; }
/// From the place of row 0 to that of the extra one.
constexpr int mirror_far(SweepSpec const& s) {
  return s.mirror.weight[0] * s.mirror.extent[0] / (s.mirror.columns ? 2 : 1);
}
/// The index of the extra row of a mirror by columns.
constexpr int half_way(SweepSpec const& s) { return s.mirror.columns ? s.mirror.extent[0] / 2 : 0; }
constexpr Mirror const& mirror_of(SweepSpec const& s) { return s.mirror; }
/// From the place of index i of mirrored digit m to that of -i.
constexpr int mirror_hop(Mirror const& mirror, int m, int i) {
  return i != 0 || (m == 0 && mirror.head) ? mirror.weight[m] * (mirror.extent[m] - 2 * i) : 0;
}

/// Whether the extra elements are worked out before what they come from is written over.
constexpr bool keeps_extra(SweepSpec const& s) { return s.tail.gathered > 0; }
constexpr bool has_twins(SweepSpec const& s) { return s.mirror.twins.used; }
/// Whether the grid, or the ranks of a cluster, count rows with twins.
constexpr bool has_grid_twins(SweepSpec const& s) { return has_twins(s) && s.mirror.twins.ranks == 1; }
constexpr bool has_rank_twins(SweepSpec const& s) { return has_twins(s) && s.mirror.twins.ranks > 1; }
/// Whether it is one line that a cluster holds: then a few partners are with other blocks.
constexpr bool has_line_twins(SweepSpec const& s) { return has_rank_twins(s) && s.mirror.twins.unit > 1; }
constexpr bool mirrors_across(SweepSpec const& s, int i) { return has_line_twins(s) && mirrors(s, i); }
constexpr bool mirrors_within(SweepSpec const& s) { return !has_line_twins(s); }
constexpr bool has_twin_registers(SweepSpec const& s, int i) {
  for (int q = 0; q < held(s, i); ++q)
    if (register_part(s, Sum::twin, i, i, q) != 0) return true;
  return false;
}
/// Whether ranks count these rows in the map of step i, as they do where the mirror is.
constexpr bool ranks_are_rows(SweepSpec const& s, int i) {
  if (!has_rank_twins(s) || rank_digits(s, i) != rank_digits(s, s.mirror.step)) return false;
  for (int p = 0; p < rank_digits(s, i); ++p)
    if (rank_digit(s, i, p) != rank_digit(s, s.mirror.step, p)) return false;
  return true;
}
/// Whether the exchange into step i takes rows to the blocks that count them, or from these.
constexpr bool to_rows(SweepSpec const& s, int i) {
  return s.step[i].exchange.remote && ranks_are_rows(s, i) && !ranks_are_rows(s, step_before(s, i));
}
constexpr bool from_rows(SweepSpec const& s, int i) {
  return s.step[i].exchange.remote && !ranks_are_rows(s, i) && ranks_are_rows(s, step_before(s, i));
}
constexpr Twins const& twins_of(SweepSpec const& s) { return s.mirror.twins; }
constexpr int negated_digits(SweepSpec const& s) { return s.mirror.twins.negated; }
constexpr bool above_grid_twins(SweepSpec const& s, int m) {
  return has_grid_twins(s) && s.mirror.twins.above[m] > 0;
}
constexpr bool above_rank_twins(SweepSpec const& s, int m) {
  return has_rank_twins(s) && s.mirror.twins.above[m] > 0;
}
constexpr Wide rows_half_way(SweepSpec const& s) {
  return s.grid_extent[s.mirror.twins.grid[s.mirror.twins.half]];
}

// ---- Powers.

constexpr bool by_powers(SweepSpec const& s) { return s.powers.used; }
/// Whether the exchange into step i is read, or written, in the order of powers.
constexpr bool routed(SweepSpec const& s) { return s.powers.used && s.powers.routed; }
constexpr bool ordered_on_chip(SweepSpec const& s) { return s.powers.used && !s.powers.routed; }
constexpr bool gathers(SweepSpec const& s, int i) { return ordered_on_chip(s) && i == 1; }
constexpr bool scatters(SweepSpec const& s, int i) { return ordered_on_chip(s) && i == s.steps - 1; }
/// Whether step i is the first to be exchanged into after the middle, so that sums are put beside it.
constexpr bool follows_middle(SweepSpec const& s, int i) {
  if (!ordered_on_chip(s) || !s.step[i].exchange.needed) return false;
  for (int before = i - 1; before >= 0; --before) {
    if (s.step[before].middle.needed) return true;
    if (s.step[before].exchange.needed) return false;
  }
  return false;
}
/// Of opposites: whether the exchange into step i is written, or read, in the order of memory; which side is complex; and
/// how many there are.
constexpr bool parts_opposites(SweepSpec const& s, int i) { return opposites(s) && gathers(s, i); }
constexpr bool joins_opposites(SweepSpec const& s, int i) { return opposites(s) && scatters(s, i); }
constexpr bool loads_spectrum(SweepSpec const& s) { return opposites(s) && !s.head.real; }
constexpr bool stores_spectrum(SweepSpec const& s) { return opposites(s) && !s.tail.real; }
constexpr int opposite_points(SweepSpec const& s) { return (s.powers.prime - 1) / 2; }
constexpr int last_opposite(SweepSpec const& s) { return s.powers.pitch * (s.powers.prime - 2); }
constexpr bool gathers_whole(SweepSpec const& s, int i) { return gathers(s, i) && !opposites(s); }
constexpr bool scatters_whole(SweepSpec const& s, int i) { return scatters(s, i) && !opposites(s); }
constexpr int lines_step(SweepSpec const& s) { return s.steps; }
constexpr int powers_table(SweepSpec const& s) { return s.powers.table; }
constexpr int middle_step(SweepSpec const& s) {
  int i = 0;
  while (i < s.steps - 1 && !s.step[i].middle.needed) ++i;
  return i;
}
/// Whether the exchange into step i brings a routed line into the order of powers, or back; and elements of it a block has.
constexpr bool routes_in(SweepSpec const& s, int i) { return routed(s) && i == 1; }
constexpr bool routes_out(SweepSpec const& s, int i) { return routed(s) && i == s.steps - 1; }
constexpr bool not_routed(SweepSpec const& s, int i) { return !routes_in(s, i) && !routes_out(s, i); }
constexpr int routed_points(SweepSpec const& s) { return s.powers.prime - 1; }
constexpr int routed_share(SweepSpec const& s) { return (s.powers.prime - 1) / s.ranks; }
/// Whether outputs go to several arrays, and how many elements, or pairs of reals, each base address stands for.
constexpr bool stores_to_peers(SweepSpec const& s) { return s.tail.peer_unit > 0; }
constexpr bool stores_to_one(SweepSpec const& s) { return !stores_to_peers(s); }
constexpr Wide peer_unit(SweepSpec const& s) { return s.tail.peer_unit; }
constexpr Wide pair_unit(SweepSpec const& s) { return s.tail.peer_unit / (s.tail.pairs ? 2 : 1); }
constexpr bool gathered(SweepSpec const& s) { return s.tail.gathered > 0; }
constexpr bool scattered(SweepSpec const& s) { return !gathered(s); }
/// Whether tiles begin amid sectors: then the threads begin before them, at a multiple of so many pairs.
constexpr int sector_pairs(SweepSpec const& s) { return in_full(s, Sum::tail) ? 4 : 8; }
constexpr bool gathered_amid(SweepSpec const& s) {
  for (int g = 0; g < s.grids; ++g)
    if (s.write.grid[g] / (s.tail.real ? 2 : 1) % sector_pairs(s) != 0) return true;
  return false;
}
constexpr int gathered_turns(SweepSpec const& s) {
  int const before = gathered_amid(s) ? sector_pairs(s) - 1 : 0;
  return (s.tail.gathered + before + s.threads - 1) / s.threads;
}
constexpr int threads(SweepSpec const& s) { return s.threads; }
constexpr int zigzag_last(SweepSpec const& s, int i) { return int(2 * zigzag_end(s, i).extent - 1); }
constexpr bool zigzag_flips(SweepSpec const& s, int i) { return zigzag_end(s, i).tap[0].flip; }
/// From where a form has the first of all elements to where the first one is that a step loads or stores.
constexpr Wide first_offset(SweepSpec const& s, Sum sum) {
  return sum == Sum::read ? s.powers.read : s.powers.write - s.cropped;
}

// ---- Lines in the order of powers that stay in their places (power_lines.h).

constexpr bool in_place(SweepSpec const& s) { return s.in_place.radices > 0; }
constexpr int first_power_radix(SweepSpec const&) { return 0; }
constexpr int last_power_radix(SweepSpec const& s) { return s.in_place.radices - 1; }
constexpr int power_lines(SweepSpec const& s) { return s.in_place.lines; }
/// From a line to the next.
constexpr int power_pitch(SweepSpec const& s) { return s.in_place.prime; }
constexpr int power_radix(SweepSpec const& s, int i) { return s.in_place.radix[i]; }
constexpr int power_place_table(SweepSpec const& s) { return s.in_place.table; }
constexpr int power_spectrum_table(SweepSpec const& s) { return s.in_place.spectrum; }
/// Radices between the first and the last, in the order of the way there, and back.
constexpr int inner_power_radices(SweepSpec const& s) { return s.in_place.radices - 2; }
constexpr int radix_there(SweepSpec const& s, int i) { return s.in_place.radices - 2 - i; }
constexpr int radix_back(SweepSpec const&, int i) { return 1 + i; }
/// Between the elements of a butterfly, and how many butterflies a line has.
constexpr int power_stride(SweepSpec const& s, int i) {
  int stride = 1;
  for (int j = i + 1; j < s.in_place.radices; ++j) stride *= s.in_place.radix[j];
  return stride;
}
constexpr int power_butterflies(SweepSpec const& s, int i) {
  return (s.in_place.prime - 1) / s.in_place.radix[i];
}
/// Whether neighbouring threads have different lines: these meet in no bank, as many as there are, since the pitch is odd;
/// neighbouring butterflies of a line meet only in the order of memory, but there the more.
constexpr bool lines_first(SweepSpec const& s, int i) {
  return s.in_place.lines % 16 == 0 || (i == s.in_place.radices - 1 && s.in_place.lines >= 8);
}
/// Butterflies that a thread has on their way at once, where they are short, and how often.
constexpr int power_together(SweepSpec const& s, int i) {
  constexpr int comfortable = 16;
  int const all = (power_butterflies(s, i) * s.in_place.lines + s.threads - 1) / s.threads,
            most = s.in_place.radix[i] < comfortable ? comfortable / s.in_place.radix[i] : 1;
  int const rounds = (all + most - 1) / most;
  return (all + rounds - 1) / rounds;
}
constexpr int power_rounds(SweepSpec const& s, int i) {
  int const turn = s.threads * power_together(s, i);
  return (power_butterflies(s, i) * s.in_place.lines + turn - 1) / turn;
}

// ---- Digits multiplied by their matrix on the way into step i.

constexpr bool is_dense(SweepSpec const& s, int i) { return s.step[i].dense.used; }
constexpr bool any_dense(SweepSpec const& s) {
  for (int i = 0; i < s.steps; ++i)
    if (is_dense(s, i)) return true;
  return false;
}
constexpr bool by_halves(SweepSpec const& s, int i) { return s.step[i].dense.used && s.step[i].dense.halves; }
constexpr bool by_its_matrix(SweepSpec const& s, int i) {
  return s.step[i].dense.used && !s.step[i].dense.halves;
}
constexpr int block_threads(SweepSpec const& s) { return s.threads; }
constexpr int dense_table(SweepSpec const& s, int i) { return s.step[i].dense.table; }
constexpr int dense_length(SweepSpec const& s, int i) { return s.extent[s.step[i].dense.digit]; }
constexpr int dense_pitch(SweepSpec const& s, int i) {
  return s.step[i].exchange.weight[s.step[i].dense.digit];
}
/// Lines of the digit, and what each of the others adds to the place of a line.
constexpr Shares line_shares(SweepSpec const& s, int i) {
  Shares all;
  int span = 1;
  for (int d = 0; d < s.digits; ++d) {
    if (d == s.step[i].dense.digit) continue;
    all.add(span, s.extent[d], s.step[i].exchange.weight[d]);
    span *= s.extent[d];
  }
  return all;
}
constexpr int line_share_count(SweepSpec const& s, int i) { return line_shares(s, i).count; }
constexpr int dense_lines(SweepSpec const& s, int i) {
  int lines = 1;
  for (int d = 0; d < s.digits; ++d)
    if (d != s.step[i].dense.digit) lines *= s.extent[d];
  return lines;
}
/// The matrix has n/2+1 rows and columns: blocks of sixteen rows and of four columns, the columns by four blocks and by one.
constexpr int blocks_of_rows(int n) { return (n / 2 + 16) / 16; }
constexpr int blocks_of_columns(int n) { return (n / 2 + 4) / 4; }
/// Where a line is too long for it, warps have only one of its two sums (halves.h).
inline constexpr int longest_together = 103;
constexpr bool halves_apart(SweepSpec const& s, int i) {
  return by_halves(s, i) && dense_length(s, i) > longest_together;
}
constexpr bool halves_together(SweepSpec const& s, int i) { return by_halves(s, i) && !halves_apart(s, i); }
/// Lines that a warp has at once.
constexpr int dense_together(SweepSpec const& s, int i) { return by_halves(s, i) ? 16 : 8; }
inline constexpr int max_dense_blocks = blocks_of_columns(max_dense);
constexpr int dense_rows(SweepSpec const& s, int i) { return blocks_of_rows(dense_length(s, i)); }
constexpr int dense_blocks(SweepSpec const& s, int i) { return blocks_of_columns(dense_length(s, i)); }
constexpr int dense_fours(SweepSpec const& s, int i) { return dense_blocks(s, i) / 4; }
constexpr int dense_ones(SweepSpec const& s, int i) { return dense_blocks(s, i) % 4; }

/// The power of two in k: k = 2^rung + something below.
constexpr int rung(int k) {
  int r = 0;
  while (k >>= 1) ++r;
  return r;
}

// ---- Factors that are looked up first: how many, and where those of a step are kept.

constexpr bool factors_first(SweepSpec const& s) { return s.factors_first; }
constexpr bool factors_in_turn(SweepSpec const& s) { return !s.factors_first; }
constexpr bool matrix_first(SweepSpec const& s, int i) { return s.factors_first && by_matrix(s, i); }
constexpr bool ladder_first(SweepSpec const& s, int i) { return s.factors_first && by_ladder(s, i); }
constexpr bool product_first(SweepSpec const& s, int i) { return s.factors_first && by_product(s, i); }
/// Of one butterfly; a matrix has one for each element.
constexpr int rungs(SweepSpec const& s, int i) {
  return s.step[i].radix > 1 ? rung(s.step[i].radix - 1) + 1 + by_product(s, i) : 1;
}
constexpr int factors(SweepSpec const& s, int i) {
  if (by_matrix(s, i)) return held(s, i);
  return by_ladder(s, i) || by_product(s, i) ? held(s, i) / s.step[i].radix * rungs(s, i) : 0;
}
constexpr int first_factor(SweepSpec const& s, int i) {
  int n = 0;
  for (int j = 0; j < i; ++j) n += factors(s, j);
  return n;
}
constexpr int all_factors(SweepSpec const& s) { return s.factors_first ? first_factor(s, s.steps) : 0; }
inline constexpr int max_factors = 64;

// ---- Where 32 bits suffice: 64-bit divisions and products cost a GPU several times as much.

inline constexpr Wide narrow_bound = Wide(1) << 31;
// ---- Tiles to come. Each thread asks for a few pieces of the runs in which a tile stands in memory.

constexpr bool asks_first(SweepSpec const& s) { return s.ahead.tiles > 0 && s.ahead.first; }
constexpr bool asks_after(SweepSpec const& s) { return s.ahead.tiles > 0 && !s.ahead.first; }
constexpr Wide tiles_ahead(SweepSpec const& s) { return s.ahead.tiles; }
/// A folded axis is one digit more, all that is stored of it; what tells rows from twins has no place of its own.
struct ReadRun {
  Wide length = 1;                  // numbers that a tile reads in a row
  bool taken[max_digits + 1] = {};  // by which digits; a folded axis is one more
};
constexpr int read_digits(SweepSpec const& s) { return s.digits + s.head.folded; }
constexpr Wide read_stride(SweepSpec const& s, int d) {
  Crossing const& c = s.mirror.crossing;  // all of whose rows are read, whatever their order
  return d < s.digits ? s.read.tile[d] + (crosses_before(s) ? c.stride * c.row.tile[d] : 0) : s.head.stride;
}
constexpr int read_extent(SweepSpec const& s, int d) {
  return d < s.digits ? s.extent[d] : int(s.head.limit);
}
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
constexpr Shares asked_pieces(SweepSpec const& s) {
  Shares pieces;
  ReadRun const run = read_run(s);
  int span = int((run.length + s.ahead.piece - 1) / s.ahead.piece);
  pieces.add(1, span, s.ahead.piece);
  for (int d = 0; d < read_digits(s); ++d)
    if (!run.taken[d] && read_stride(s, d) != 0) {
      pieces.add(span, read_extent(s, d), read_stride(s, d));
      span *= read_extent(s, d);
    }
  return pieces;
}
constexpr int asked_parts(SweepSpec const& s) { return asked_pieces(s).count; }
constexpr int asked_count(SweepSpec const& s) {
  Shares const pieces = asked_pieces(s);
  return int(pieces.span[pieces.count - 1] * pieces.extent[pieces.count - 1]);
}
constexpr int asked_turns(SweepSpec const& s) {
  return (asked_count(s) + s.threads * s.ranks - 1) / (s.threads * s.ranks);
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
  return n < narrow_bound;
}
constexpr bool small_guard(SweepSpec const& s, int g) {
  Guard const& guard = s.guard[g];
  Wide most = guard.bound;
  for (int d = 0; d < s.digits; ++d) most += guard.at.tile[d] * (s.extent[d] - 1);
  for (int d = 0; d < s.grids; ++d) most += guard.at.grid[d] * (s.grid_extent[d] - 1);
  return most < narrow_bound;
}
constexpr bool small_exponent(SweepSpec const& s, int i) {
  Twiddle const& twiddle = s.step[i].twiddle;
  Wide k = 0, low = 0;
  for (int d = 0; d < s.digits; ++d) {
    k += twiddle.k[d] * (s.extent[d] - 1);
    low += twiddle.low.tile[d] * (s.extent[d] - 1);
  }
  for (int g = 0; g < s.grids; ++g) low += twiddle.low.grid[g] * (s.grid_extent[g] - 1);
  return k == 0 || low < narrow_bound / k;
}

}  // namespace skipper::kernel
