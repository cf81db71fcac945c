#pragma once
// The spec of one sweep: a plain value that says all a kernel needs to know. Everything a sweep does to the
// tile's digits is a linear form, sum(digit x weight): where an element is read, where it is written, where it
// waits in shared memory, which rank of the cluster holds it, which power of a root of unity multiplies it.
// A sweep is a list of steps; a step brings the tile into its map (which digits are counted by the thread index,
// which by the registers, which by the rank of the block in its cluster), transforms one digit, and twiddles.

#include "kernel/ends.h"
#include "kernel/middle.h"

namespace skipper::kernel {

/// An element exists only where `at` is from `first` on and below `bound`: the last tile of a ragged digit is partly
/// empty, of a padded axis only the beginning is in memory, of a cropped one a part. Elements that are not read are zero.
struct Guard {
  Form at;
  Wide first = 0;
  Wide bound = 0;
  bool reads = true, writes = true;  // on which side it holds
  constexpr bool operator==(Guard const&) const = default;
};

/// Deals the tile's digits: `order` names first the digits that count threads, then registers, then ranks,
/// each group fastest first.
struct Map {
  int thread_digits = 0;
  int register_digits = 0;
  int rank_digits = 0;
  int order[max_digits] = {};
  constexpr bool operator==(Map const&) const = default;
};

/// How the tile comes into a step's map from the map of the step before: through shared memory at
/// base + sum(digit x weight), or not at all when both maps are the same.
struct Exchange {
  bool needed = false;
  bool remote = false;  // elements change blocks within the cluster
  bool fence = false;   // the place written to may still be being read: wait first
  bool keep = false;    // both maps are the same: only a mirror reads what is written
  int base = 0;
  int weight[max_digits] = {};
  constexpr bool operator==(Exchange const&) const = default;
};

/// A prime number p of points in the order of the powers of a generator g modulo p: all but number 0 stand at
/// g^0, g^1, .. g^(p-2), where the transform is a convolution of p - 1 points (base/chirps.h). The first step loads them in
/// the order of memory, and the exchange out of it is read in the order of powers; the exchange into the last step is
/// written in that order and read in memory's. Number 0 of each line is left over: it waits in front of the exchanges,
/// joins what the middle has at index 0, and ends as the sum of all.
struct Powers {
  bool used = false;
  int prime = 0, generator = 0;
  int exponent[max_digits] = {};  // the power of g that an element is, modulo p - 1
  int entry[max_digits] = {};     // its place in the table
  int line[max_digits] = {};      // number of its line
  int pitch = 0;                  // between neighbours of memory's order in shared memory
  int table = 0;                  // in int: pitch (g^exponent - 1) for each entry
  Wide read = 0, write = 0;       // from point 0 to point 1
  constexpr bool operator==(Powers const&) const = default;
};

/// Where the factors of a twiddle stand. `matrix`: one table row for each output k >= 1 of the butterfly, indexed by
/// `low`. `ladder`: rows for k = 1, 2, 4, .. alone, the others are products of these. `product`: the exponent k x low
/// is cut in two and the factor is high[e / base] x low[e % base].
enum class Twiddling { none, matrix, ladder, product };

struct Twiddle {
  Twiddling kind = Twiddling::none;
  Wide k[max_digits] = {};  // the sub-transform's output index (product only)
  Form low;                 // the input index below this digit, still to be transformed
  Wide rows = 0;            // matrix, ladder: entries of one row
  int shift = 0;            // product: base = 2^shift
  int table = 0;            // offset into the sweep's roots: the matrix, the ladder, or the high table
  int table_low = 0;        // product: the low table
  constexpr bool operator==(Twiddle const&) const = default;
};

/// A digit that is transformed on the way through an exchange: there each of its lines is multiplied by the matrix of the
/// transform (dense.h).
struct Dense {
  bool used = false;
  int digit = 0;
  int table = 0;  // the matrix, in pairs of doubles from the sweep's first root
  constexpr bool operator==(Dense const&) const = default;
};

struct Step {
  Map map;
  Exchange exchange;
  Dense dense;         // of the exchange
  int radix = 1;       // 1: the step only moves data
  int group_size = 0;  // digits that together are the butterfly's index, fastest first
  int group[max_group] = {};
  Twiddle twiddle;
  Pointwise middle;  // after the twiddles
  constexpr bool operator==(Step const&) const = default;
};

/// What a sweep and its neighbours have to do with each other beside the data: none of it changes results.
struct Flow {
  bool read_once = false, write_once = false;  // what is read, or written, need not stay in L2
  bool early = false;      // launched while the sweep before may still run: waits for its end by itself
  bool announces = false;  // lets the next one be launched early
  constexpr bool operator==(Flow const&) const = default;
};

struct SweepSpec {
  int digits = 0;
  int extent[max_digits] = {};
  int grids = 0;
  Wide grid_extent[max_grid] = {};  // fastest first
  Form read, write;
  Wide cropped = 0;  // places that the first output stored is past where `write` has the first of all
  int guards = 0;
  Guard guard[max_guards];
  Pointwise load_end, store_end;  // only of elements that exist; before parts are swapped at the store
  int threads = 1;                // of a block
  int ranks = 1;                  // blocks of a cluster
  int shared = 0;                 // elements of shared memory of a block
  int resident = 0;  // blocks an SM is to hold at once, which bounds their registers; 0: as it comes
  int most =
      0;  // blocks an SM is to hold at most, so that L1 keeps room for loads on their way; 0: all that fit
  bool swap_read = false, swap_write = false;  // the inverse transform exchanges real and imaginary parts
  bool scaled = false;
  bool waits = false;  // threads write places that others read, and no exchange comes between: all read first
  Flow flow;
  End head, tail;
  Mirror mirror;
  Powers powers;
  Symbol symbol;  // of the step whose middle is given
  int steps = 0;
  Step step
      [max_steps];  // one more where there are powers or extra elements: its map deals the lines to threads
  constexpr bool operator==(SweepSpec const&) const = default;
};

// ---- Questions to a spec. Each is a pure function, so it folds when the spec is known at compile time.

constexpr int steps(SweepSpec const& s) { return s.steps; }
constexpr int last_step(SweepSpec const& s) { return s.steps - 1; }
constexpr int step_before(SweepSpec const&, int i) { return i > 0 ? i - 1 : 0; }
constexpr int radix(SweepSpec const& s, int i) { return s.step[i].radix; }
constexpr int thread_digits(SweepSpec const& s, int i) { return s.step[i].map.thread_digits; }
constexpr int rank_digits(SweepSpec const& s, int i) { return s.step[i].map.rank_digits; }
constexpr int grids(SweepSpec const& s) { return s.grids; }
constexpr int guards(SweepSpec const& s) { return s.guards; }
constexpr Wide grid_extent(SweepSpec const& s, int g) { return s.grid_extent[g]; }

/// Digit at place p of step i's map, and how many threads (registers, ranks) one step of it spans.
constexpr int digit_at(SweepSpec const& s, int i, int p) { return s.step[i].map.order[p]; }
constexpr int extent_at(SweepSpec const& s, int i, int p) { return s.extent[digit_at(s, i, p)]; }
constexpr int product(SweepSpec const& s, int i, int first, int last) {
  int n = 1;
  for (int p = first; p < last; ++p) n *= extent_at(s, i, p);
  return n;
}
constexpr int first_register(SweepSpec const& s, int i) { return s.step[i].map.thread_digits; }
constexpr int first_rank(SweepSpec const& s, int i) {
  return first_register(s, i) + s.step[i].map.register_digits;
}
constexpr int thread_span(SweepSpec const& s, int i, int p) { return product(s, i, 0, p); }
constexpr int rank_span(SweepSpec const& s, int i, int p) {
  return product(s, i, first_rank(s, i), first_rank(s, i) + p);
}
constexpr int rank_extent(SweepSpec const& s, int i, int p) { return extent_at(s, i, first_rank(s, i) + p); }
constexpr int rank_digit(SweepSpec const& s, int i, int p) { return digit_at(s, i, first_rank(s, i) + p); }

/// Threads that hold elements in step i, and how many elements each holds.
constexpr int active(SweepSpec const& s, int i) { return product(s, i, 0, first_register(s, i)); }
constexpr int held(SweepSpec const& s, int i) {
  return product(s, i, first_register(s, i), first_rank(s, i));
}
constexpr int most_held(SweepSpec const& s) {
  int most = 1;
  for (int i = 0; i < s.steps; ++i) most = held(s, i) > most ? held(s, i) : most;
  return most;
}
constexpr bool all_active(SweepSpec const& s, int i) { return active(s, i) == s.threads; }

// ---- Forms, named so that one text can ask for any of them: weight of digit d, of grid digit g, at register q.

enum class Sum {
  read,
  write,
  guard,
  shared,
  rank,
  k,
  low,
  load_end,
  store_end,
  middle,
  symbol,
  head,
  tail,
  mirror,
  parity,
  near,
  entry,
  exponent,
  line,
  beside,
  zig,
  zag
};

constexpr Wide rank_weight(SweepSpec const& s, int i, int d) {
  for (int p = 0; p < rank_digits(s, i); ++p)
    if (rank_digit(s, i, p) == d) return rank_span(s, i, p);
  return 0;
}
/// Whether the exchange into step i is written, or read, in zigzag; and of which end that is.
constexpr bool zigzags_in(SweepSpec const& s, int i) { return s.head.zigzag && i == 1; }
constexpr bool zigzags_out(SweepSpec const& s, int i) {
  return s.tail.zigzag && i == s.steps - 1 && !zigzags_in(s, i);
}
constexpr End const& zigzag_end(SweepSpec const& s, int i) { return zigzags_in(s, i) ? s.head : s.tail; }
/// Weight of tile digit d in the form `sum`; `which` numbers the guard, the symbol's axis, or the step the exchange leads into.
constexpr Wide weight(SweepSpec const& s, Sum sum, int which, int d) {
  switch (sum) {
    case Sum::read:
      return s.read.tile[d];
    case Sum::write:
      return s.write.tile[d];
    case Sum::guard:
      return s.guard[which].at.tile[d];
    case Sum::shared:
      return s.step[which].exchange.weight[d];
    case Sum::rank:
      return rank_weight(s, which, d);
    case Sum::k:
      return s.step[which].twiddle.k[d];
    case Sum::low:
      return s.step[which].twiddle.low.tile[d];
    case Sum::load_end:
      return s.load_end.at.tile[d];
    case Sum::store_end:
      return s.store_end.at.tile[d];
    case Sum::middle:
      return s.step[which].middle.at.tile[d];
    case Sum::symbol:
      return s.symbol.at[which].tile[d];
    case Sum::head:
      return s.head.index.tile[d];
    case Sum::tail:
      return s.tail.index.tile[d];
    case Sum::mirror:
      return s.mirror.index[which].tile[d];
    case Sum::parity:
      return s.mirror.parity[d];
    case Sum::near:  // of both columns of a pair
      return s.mirror.parity[d] ? 0 : s.step[which].exchange.weight[d];
    case Sum::entry:
      return s.powers.entry[d];
    case Sum::exponent:
      return s.powers.exponent[d];
    case Sum::line:
      return s.powers.line[d];
    case Sum::beside:
      return s.powers.entry[d] ? 0 : s.step[which].exchange.weight[d];
    case Sum::zig:
      return 2 * s.step[which].exchange.weight[d] - zigzag_end(s, which).index.tile[d];
    case Sum::zag:
      return 2 * s.step[which].exchange.weight[d] - 3 * zigzag_end(s, which).index.tile[d];
  }
  return 0;
}
constexpr Wide grid_weight(SweepSpec const& s, Sum sum, int which, int g) {
  switch (sum) {
    case Sum::read:
      return s.read.grid[g];
    case Sum::write:
      return s.write.grid[g];
    case Sum::guard:
      return s.guard[which].at.grid[g];
    case Sum::low:
      return s.step[which].twiddle.low.grid[g];
    case Sum::load_end:
      return s.load_end.at.grid[g];
    case Sum::store_end:
      return s.store_end.at.grid[g];
    case Sum::middle:
      return s.step[which].middle.at.grid[g];
    case Sum::symbol:
      return s.symbol.at[which].grid[g];
    case Sum::head:
      return s.head.index.grid[g];
    case Sum::tail:
      return s.tail.index.grid[g];
    default:
      return 0;
  }
}
constexpr Wide thread_weight(SweepSpec const& s, Sum sum, int which, int i, int p) {
  return weight(s, sum, which, digit_at(s, i, p));
}
constexpr Wide rank_part_weight(SweepSpec const& s, Sum sum, int which, int i, int p) {
  return weight(s, sum, which, rank_digit(s, i, p));
}

/// What the thread index, or the rank, adds to a form: of each digit that it counts and that has a weight,
/// index / span % extent x weight. One table compiles far faster than three answers a digit.
struct Shares {
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
constexpr Shares thread_shares(SweepSpec const& s, Sum sum, int which, int i) {
  Shares all;
  int span = 1;
  for (int p = 0; p < thread_digits(s, i); ++p) {
    all.add(span, extent_at(s, i, p), thread_weight(s, sum, which, i, p));
    span *= extent_at(s, i, p);
  }
  return all;
}
constexpr Shares rank_shares(SweepSpec const& s, Sum sum, int which, int i) {
  Shares all;
  for (int p = 0; p < rank_digits(s, i); ++p)
    all.add(rank_span(s, i, p), rank_extent(s, i, p), rank_part_weight(s, sum, which, i, p));
  return all;
}
constexpr int thread_share_count(SweepSpec const& s, Sum sum, int which, int i) {
  return thread_shares(s, sum, which, i).count;
}
constexpr int rank_share_count(SweepSpec const& s, Sum sum, int which, int i) {
  return rank_shares(s, sum, which, i).count;
}
constexpr Wide register_part(SweepSpec const& s, Sum sum, int which, int i, int q) {
  Wide total = 0;
  for (int p = first_register(s, i); p < first_rank(s, i); ++p) {
    total += Wide(q % extent_at(s, i, p)) * weight(s, sum, which, digit_at(s, i, p));
    q /= extent_at(s, i, p);
  }
  return total;
}

/// A number for each register a thread holds. One table a step compiles far faster than an answer a register.
template <class Number>
struct PerRegister {
  Number at[max_registers] = {};
  constexpr Number operator[](int q) const { return at[q]; }
};
template <class Number>
constexpr PerRegister<Number> parts(SweepSpec const& s, Sum sum, int which, int i) {
  PerRegister<Number> table;
  for (int q = 0; q < held(s, i); ++q) table.at[q] = Number(register_part(s, sum, which, i, q));
  return table;
}

constexpr bool carries_extra(SweepSpec const& s, int i);
constexpr bool exchanged(SweepSpec const& s, int i) { return s.step[i].exchange.needed; }
constexpr bool remote(SweepSpec const& s, int i) { return s.step[i].exchange.remote; }
constexpr bool kept_in(SweepSpec const& s, int i) { return s.step[i].exchange.keep; }
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
constexpr bool has_load_end(SweepSpec const& s) { return s.load_end.needed; }
constexpr bool has_store_end(SweepSpec const& s) { return s.store_end.needed; }
constexpr bool has_given(SweepSpec const& s, int i) { return s.step[i].middle.given; }
constexpr bool given_factors(SweepSpec const& s, Sum sum, int i) {
  return sum == Sum::middle && s.step[i].middle.given;
}
constexpr bool divides(SweepSpec const& s) { return s.symbol.axes > 0; }
constexpr bool multiplies(SweepSpec const& s) { return s.symbol.axes == 0; }
constexpr int symbol_axes(SweepSpec const& s) { return s.symbol.axes; }
/// Whether the registers of a thread in step i differ in their index along the axis.
constexpr bool symbol_varies(SweepSpec const& s, int axis, int i) {
  for (int p = first_register(s, i); p < first_rank(s, i); ++p)
    if (s.symbol.at[axis].tile[digit_at(s, i, p)] != 0) return true;
  return false;
}
constexpr bool symbol_stays(SweepSpec const& s, int axis, int i) { return !symbol_varies(s, axis, i); }
constexpr Wide symbol_table(SweepSpec const& s, int axis) { return s.symbol.table[axis]; }
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
constexpr bool in_half(SweepSpec const& s, Sum side) { return end(s, side).half; }
constexpr bool in_full(SweepSpec const& s, Sum side) { return !end(s, side).half; }
/// Whether an end moves complex numbers as they stand, or shapes them.
constexpr bool plain(SweepSpec const& s, Sum side) { return !folded(s, side) && !real(s, side); }
constexpr bool shaped(SweepSpec const& s, Sum side) { return !plain(s, side); }
constexpr bool has_extra(SweepSpec const& s, Sum side) { return end(s, side).extra; }
constexpr bool rotates(SweepSpec const& s, Sum side) { return end(s, side).rotation.used; }
constexpr Rotation const& rotation(SweepSpec const& s, Sum form) {
  return form == Sum::mirror ? s.mirror.rotation : end(s, form).rotation;
}
constexpr bool rotated(SweepSpec const& s, Sum form) { return rotation(s, form).used; }
/// Whether the registers of step i are so far apart that one factor of a cut rotation, and one of its other table's
/// entries, which is the same for all threads, make each of theirs.
constexpr bool rotates_evenly(SweepSpec const& s, Sum form, int i) {
  Rotation const& r = rotation(s, form);
  for (int q = 0; q < held(s, i); ++q)
    if (r.scale * register_part(s, form, 0, i, q) % (Wide(1) << r.bits) != 0) return false;
  return r.split;
}
constexpr bool mirrors(SweepSpec const& s, int i) { return s.mirror.used && s.mirror.step == i; }
constexpr bool mirrors_head(SweepSpec const& s, int i) { return mirrors(s, i) && s.mirror.head; }
/// Steps that have the extra element beside the others: those from a mirror after the last butterfly on.
constexpr bool carries_extra(SweepSpec const& s, int i) {
  return s.mirror.used && !s.mirror.head && i >= s.mirror.step;
}
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

// ---- Powers.

constexpr bool by_powers(SweepSpec const& s) { return s.powers.used; }
/// Whether the exchange into step i is read, or written, in the order of powers.
constexpr bool gathers(SweepSpec const& s, int i) { return s.powers.used && i == 1; }
constexpr bool scatters(SweepSpec const& s, int i) { return s.powers.used && i == s.steps - 1; }
/// Whether step i is the first to be exchanged into after the middle, so that sums are put beside it.
constexpr bool follows_middle(SweepSpec const& s, int i) {
  if (!s.powers.used || !s.step[i].exchange.needed) return false;
  for (int before = i - 1; before >= 0; --before) {
    if (s.step[before].middle.needed) return true;
    if (s.step[before].exchange.needed) return false;
  }
  return false;
}
constexpr int lines_step(SweepSpec const& s) { return s.steps; }
constexpr int powers_table(SweepSpec const& s) { return s.powers.table; }
constexpr bool gathered(SweepSpec const& s) { return s.tail.gathered > 0; }
constexpr bool scattered(SweepSpec const& s) { return !gathered(s); }
/// Whether tiles begin amid sectors: then the threads begin before them, at a multiple of so many pairs.
constexpr int sector_pairs(SweepSpec const& s) { return s.tail.half ? 8 : 4; }
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

// ---- Digits multiplied by their matrix on the way into step i.

constexpr bool is_dense(SweepSpec const& s, int i) { return s.step[i].dense.used; }
constexpr bool any_dense(SweepSpec const& s) {
  for (int i = 0; i < s.steps; ++i)
    if (is_dense(s, i)) return true;
  return false;
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

// ---- Where 32 bits suffice: 64-bit divisions and products cost a GPU several times as much.

inline constexpr Wide narrow_bound = Wide(1) << 31;
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
