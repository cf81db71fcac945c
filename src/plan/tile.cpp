// Finds a tile's digits by refining the layouts a sweep reads and writes until each piece has one stride on either
// side and is wholly in the tile or wholly outside.
#include "plan/tile.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>

#include "base/numbers.h"

namespace skipper {
namespace {

/// Runs of one digit in a layout, fastest first.
std::vector<Run> runs_of(std::vector<Placed> const& layout, DigitKey digit) {
  std::vector<Run> runs;
  for (Placed const& p : layout)
    if (p.piece.digit == digit) runs.push_back({p.piece.unit, p.piece.extent, p.stride});
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.unit < b.unit; });
  return runs;
}

Index stride_at(std::vector<Run> const& runs, Index unit) {
  for (Run const& r : runs)
    if (r.unit <= unit && unit < r.unit * r.extent) return r.stride * (unit / r.unit);
  return 0;
}

std::vector<Carried> carried_pieces(Piece whole, std::vector<Run> const& read, std::vector<Run> const& write,
                                    std::vector<Piece> const& with) {
  Index const n = whole.extent;
  std::set<Index> cuts{1};
  for (auto const* runs : {&read, &write})
    for (Run const& r : *runs) cuts.insert(r.unit);
  bool const split_layout = cuts.size() > 1;
  for (Piece const& p : with)
    for (Index u : {p.unit, p.unit * p.extent})
      if (u < n) cuts.insert(u);
  std::vector<Index> units(cuts.begin(), cuts.end());
  std::vector<Carried> pieces;
  for (std::size_t i = 0; i < units.size(); ++i) {
    bool const last = i + 1 == units.size();
    Index const next = last ? n : units[i + 1];
    bool const ragged = next % units[i] != 0;
    if (ragged && (!last || split_layout))
      throw Error("program: tile", "cuts a digit of " + std::to_string(n) + " at " +
                                       std::to_string(units[i]) + ", which does not divide " +
                                       std::to_string(next) + "; cut it at a divisor");
    Carried c{{whole.digit, units[i], (next + units[i] - 1) / units[i]},
              stride_at(read, units[i]),
              stride_at(write, units[i])};
    for (Piece const& p : with) c.held = c.held || (p.unit <= units[i] && units[i] < p.unit * p.extent);
    if (ragged)
      for (Carried& low : pieces) low.bound = n;
    if (ragged) c.bound = n;
    pieces.push_back(c);
  }
  return pieces;
}

/// Length of the chain of strides 1, e1, e1 e2, .. among the given runs.
Index chain(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.stride < b.stride; });
  Index run = 1;
  for (Run const& r : runs) {
    if (r.extent == 1) continue;
    if (r.stride != run) break;
    run *= r.extent;
  }
  return run;
}

enum class Side { read, write };

std::vector<Run> held_runs(Tile const& tile, Side side) {
  std::vector<Run> runs;
  for (Transformed const& t : tile.transformed) {
    Run const& span = side == Side::read ? t.read_span : t.write_span;
    auto const& own = span.extent > 1 ? std::vector<Run>{span} : side == Side::read ? t.read : t.write;
    runs.insert(runs.end(), own.begin(), own.end());
  }
  for (Carried const& c : tile.carried)
    if (c.held) runs.push_back({1, c.piece.extent, side == Side::read ? c.read : c.write});
  return runs;
}

/// The address set of runs, in one form: sorted by stride and merged.
std::vector<Run> canonical(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.stride < b.stride; });
  std::vector<Run> merged;
  for (Run const& r : runs) {
    if (r.extent == 1) continue;
    if (!merged.empty() && merged.back().stride * merged.back().extent == r.stride)
      merged.back().extent *= r.extent;
    else
      merged.push_back({1, r.extent, r.stride});
  }
  return merged;
}

/// Adds a piece of a digit of `whole` to the tile. The high part of a ragged cut may reach past the digit's end.
void hold(Sweep& sweep, Piece piece, Index whole) {
  for (Piece& p : sweep.with)
    if (p.digit == piece.digit && p.unit * p.extent == piece.unit) {
      p.extent = std::min(p.extent * piece.extent, (whole + p.unit - 1) / p.unit);
      return;
    }
  sweep.with.push_back(piece);
}

/// The held low part of the digit whose rest is `high`: where no layout cuts the digit, the tile may as well cut it
/// elsewhere.
Piece* movable_cut(Sweep& sweep, Carried const& high, std::set<DigitKey> const& cut_by_layouts) {
  if (high.piece.unit == 1 || cut_by_layouts.count(high.piece.digit)) return nullptr;
  for (Piece& p : sweep.with)
    if (p.digit == high.piece.digit && p.unit == 1 && p.extent == high.piece.unit) return &p;
  return nullptr;
}

/// How much of a carried digit to take when `need` would do and `room` is the most: a divisor if one is near, else
/// a ragged cut at a power of two where the digit is whole in both layouts.
Index share_of(Carried const& c, Index whole, Index need, Index room, bool may_be_ragged) {
  if (c.piece.extent <= need) need = c.piece.extent;
  need = std::min(need, room);
  bool const uncut = c.piece.unit == 1 && c.piece.extent == whole;
  bool const anywhere = uncut && may_be_ragged;
  // Threads share out powers of two evenly; where there are many, a ragged last tile costs next to nothing.
  Index const floor2 = Index(std::bit_floor(std::uint64_t(need)));
  Index const near2 = 2 * floor2 <= room && 8 * floor2 <= 5 * need ? 2 * floor2 : floor2;
  if (anywhere && c.piece.extent >= 256 * near2) return near2;
  Index best = 1, above = 0;
  for (Index d : divisors(c.piece.extent)) {
    if (anywhere && !is_smooth(d, 31)) continue;  // threads could share it out only whole
    if (d <= need) best = d;
    if (d >= need && d <= room && !above) above = d;
  }
  if (best == need) return best;
  if (above && above <= 2 * need) return above;
  Index const even = Index(std::bit_floor(std::uint64_t(need)));  // kernels share out powers of two with ease
  if (anywhere && even > best) return even;
  return above && above <= 4 * need && best * 2 < need ? above : best;
}

int ragged_digits(Tile const& tile) {
  std::set<DigitKey> ragged;
  for (Carried const& c : tile.carried)
    if (c.bound) ragged.insert(c.piece.digit);
  return int(ragged.size());
}

}  // namespace

namespace {

/// A folded axis that lies in one tile covers its stored index, not the places of its digits.
void add_spans(Program const& program, int s, Tile& tile) {
  auto const head = folded_head(program, s), tail = folded_tail(program, s);
  for (Transformed& t : tile.transformed) {
    if (!head || !tail || t.digit.dim != *head || t.digit.dim != *tail || program.radices[*head].size() > 1)
      continue;
    Fold const fold = *fold_of(program, *head);
    auto const span = [&](FoldEnd const& end, int part, std::vector<Run> const& runs) {
      return Run{1, extent_of(program, {*head, part}), runs.front().stride / stretch(end)};
    };
    t.read_span = span(fold.head, stored_before, t.read);
    t.write_span = span(fold.tail, stored_after, t.write);
  }
}

/// Pairs of neighbouring reals are complex numbers where all other strides are even. All strides are halved then.
bool move_in_pairs(Program const& program, std::optional<int> dim, std::vector<Run> Transformed::*side,
                   Tile& tile) {
  bool const reads = side == &Transformed::read;
  Index& bytes = reads ? tile.read_bytes : tile.write_bytes;
  Kind const real_side = reads ? Kind::r2c : Kind::c2r;
  if (!dim || !program.dims[*dim].halved || program.problem.kind != real_side ||
      !fold_of(program, *dim)->mirrored() || bytes == element_bytes(program.problem))
    return false;
  bool even = true;
  auto const each_stride = [&](auto f) {
    for (Transformed& t : tile.transformed)
      for (Run& r : t.*side)
        if (r.extent > 1) f(r.stride);
    for (Carried& c : tile.carried) f(reads ? c.read : c.write);
  };
  each_stride([&](Index& stride) { even = even && stride % 2 == 0; });
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim == *dim) even = even && (reads ? t.read_span : t.write_span).stride == 1;
  if (!even) return false;
  each_stride([](Index& stride) { stride /= 2; });
  for (Transformed& t : tile.transformed)
    if (t.digit.dim == *dim) (reads ? t.read_span : t.write_span).extent /= 2;
  bytes *= 2;
  return true;
}

/// A cosine or sine transform of complex data is one of reals, with the two parts as a batch of neighbours.
void split_parts(Tile& tile) {
  for (Transformed& t : tile.transformed) {
    for (auto* runs : {&t.read, &t.write})
      for (Run& r : *runs) r.stride *= 2;
    t.read_span.stride *= 2;
    t.write_span.stride *= 2;
  }
  for (Carried& c : tile.carried) c.read *= 2, c.write *= 2;
  tile.carried.push_back({{{complex_parts, 0}, 1, 2}, 1, 1, true, 0});
  tile.read_bytes /= 2;
  tile.write_bytes /= 2;
}

/// Runs of a tile's side in bytes, with the bytes of an element as the fastest; `span` bytes where that is given.
std::vector<Run> byte_runs(Tile const& tile, Side side, Index span) {
  Index const bytes = side == Side::read ? tile.read_bytes : tile.write_bytes;
  std::vector<Run> runs;
  if (span == 0) runs.push_back({1, bytes, 1});
  for (Run const& r : held_runs(tile, side))
    if (span == 0 || r.stride != 1) runs.push_back({1, r.extent, r.stride * bytes});
  if (span > 0) runs.push_back({1, span, 1});
  return runs;
}

/// In place, n reals and n/2+1 complex numbers are rows of the same length, the padding being the row's own.
Index common_row(Tile const& tile) {
  for (Transformed const& t : tile.transformed)
    if (t.read_span.extent > 1 && t.read_span.stride == 1 && t.write_span.stride == 1)
      return std::max(t.read_span.extent * tile.read_bytes, t.write_span.extent * tile.write_bytes);
  return 0;
}

}  // namespace

Tile tile_of(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  auto const read = read_layout(program, s), write = write_layout(program, s);
  Tile tile;
  for (DigitKey d : sweep.transforms) {
    auto const by = program.padded.find(d);
    tile.transformed.push_back({d,
                                program.radices[d.dim][d.part],
                                runs_of(read, d),
                                runs_of(write, d),
                                by == program.padded.end() ? 0 : by->second,
                                pass_of(program, s, d),
                                {},
                                {}});
  }
  for (Piece const& whole : sweep_digits(program, s)) {
    if (std::find(sweep.transforms.begin(), sweep.transforms.end(), whole.digit) != sweep.transforms.end())
      continue;
    std::vector<Piece> with;
    for (Piece const& p : sweep.with)
      if (p.digit == whole.digit) with.push_back(p);
    for (Carried const& c :
         carried_pieces(whole, runs_of(read, whole.digit), runs_of(write, whole.digit), with))
      if (c.piece.extent > 1) tile.carried.push_back(c);
  }
  tile.read_bytes = bytes_before(program, s);
  tile.write_bytes = bytes_before(program, s + 1);
  add_spans(program, s, tile);
  if (splits_parts(program, s)) split_parts(tile);
  tile.read_pairs = move_in_pairs(program, folded_head(program, s), &Transformed::read, tile);
  tile.write_pairs = move_in_pairs(program, folded_tail(program, s), &Transformed::write, tile);
  return tile;
}

Index tile_points(Tile const& tile) {
  Index n = 1;
  for (Transformed const& t : tile.transformed) n *= t.points();
  for (Carried const& c : tile.carried)
    if (c.held) n *= c.piece.extent;
  return n;
}

Index tile_count(Tile const& tile) {
  Index n = 1;
  for (Carried const& c : tile.carried)
    if (!c.held) n *= c.piece.extent;
  return n;
}

Index read_segment(Tile const& tile) { return chain(held_runs(tile, Side::read)); }
Index write_segment(Tile const& tile) { return chain(held_runs(tile, Side::write)); }

bool closed(Program const& program, int s) {
  Tile const tile = tile_of(program, s);
  for (Carried const& c : tile.carried)
    if (!c.held && c.read * tile.read_bytes != c.write * tile.write_bytes) return false;
  Index const row = common_row(tile);
  if (row == 0 && tile.read_bytes != tile.write_bytes) return false;
  return canonical(byte_runs(tile, Side::read, row)) == canonical(byte_runs(tile, Side::write, row));
}

bool keeps_within_output(Program const& program, int s) {
  int const end = int(program.sweeps.size());
  if (!program.convolved.empty()) return false;  // what stands between its sweeps is longer
  std::vector<Run> runs;
  Index all = bytes_before(program, end), here = bytes_before(program, s + 1);
  for (Placed const& p : stored_output(program)) {
    runs.push_back({1, p.piece.extent, p.stride});
    all *= p.piece.extent;
  }
  for (Piece const& p : digits_before(program, s + 1)) here *= p.extent;
  return chain(runs) * bytes_before(program, end) == all && here <= all;
}

void extend_tile(Program& program, int s, TileAim aim) {
  Sweep& sweep = program.sweeps[s];
  std::set<DigitKey> cut_by_layouts;
  for (auto const& layout : {read_layout(program, s), write_layout(program, s)})
    for (Placed const& p : layout)
      if (p.piece.unit > 1) cut_by_layouts.insert(p.piece.digit);
  auto const take = [&](Tile const& tile, Carried const& c, Index need) {
    Index const whole = extent_of(program, c.piece.digit);
    Index const room = aim.capacity / tile_points(tile);
    if (Piece* cut = movable_cut(sweep, c, cut_by_layouts)) {
      Carried digit = c;
      digit.piece = {c.piece.digit, 1, whole};
      Index const share =
          share_of(digit, whole, need * cut->extent, room * cut->extent, c.bound || ragged_digits(tile) < 2);
      if (share <= cut->extent) return false;
      cut->extent = share;
      return true;
    }
    Index const share = share_of(c, whole, need, room, ragged_digits(tile) < 2);
    if (share <= 1) return false;
    hold(sweep, {c.piece.digit, c.piece.unit, share}, whole);
    return true;
  };
  for (Side side : {Side::read, Side::write})
    for (bool grew = true; grew;) {
      Tile const tile = tile_of(program, s);
      Index const run = side == Side::read ? read_segment(tile) : write_segment(tile);
      Index const segment = aim.segment * (element_bytes(program.problem) /
                                           (side == Side::read ? tile.read_bytes : tile.write_bytes));
      grew = false;
      if (run >= segment) break;
      for (Carried const& c : tile.carried)
        if (!c.held && (side == Side::read ? c.read : c.write) == run) {
          grew = take(tile, c, (segment + run - 1) / run);
          break;
        }
    }
  for (;;) {  // more of the fastest digits, so that a tile keeps enough threads busy
    Tile const tile = tile_of(program, s);
    Index const have = tile_points(tile);
    if (2 * have > aim.fill) break;
    Carried const* fastest = nullptr;
    for (Carried const& c : tile.carried)
      if (!c.held && (!fastest || c.read < fastest->read)) fastest = &c;
    if (!fastest || !take(tile, *fastest, aim.fill / have)) break;
  }
  std::sort(sweep.with.begin(), sweep.with.end());
}

}  // namespace skipper
