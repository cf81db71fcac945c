// What a tile takes along besides what it transforms: first what makes its segments long, on either side, then more of
// the fastest digits until it keeps enough threads busy.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

#include "base/numbers.h"
#include "plan/tile.h"

namespace skipper {
namespace {

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

/// Whether a digit mostly has n/2+1 indices, whose divisors would part sectors.
bool is_stored(Program const& program, DigitKey digit) {
  if (digit.dim < 0) return false;
  auto const columns = columns_of(program, digit.dim);
  return digit.part < 0 || (columns && columns->half == digit);
}

/// Whether a digit of so many indices can be shared out among threads in parts: not where it is a prime or little else.
bool is_odd(Index extent) {
  constexpr Index comfortable = 7;  // prime factor. A choice, not measured.
  return !is_smooth(extent, comfortable);
}

/// How much of a carried digit to take when `need` would do and `room` is the most: a divisor if one is near, else
/// a ragged cut at a power of two where the digit is whole in both layouts; `even`: such a cut of every odd digit.
Index share_of(Carried const& c, Index whole, Index need, Index room, bool may_be_ragged, bool stored,
               bool even) {
  if (c.piece.extent <= need) need = c.piece.extent;
  need = std::min(need, room);
  bool const uncut = c.piece.unit == 1 && c.piece.extent == whole;
  bool const anywhere = uncut && may_be_ragged;
  // Threads share out powers of two evenly; where there are many, a ragged last tile costs next to nothing.
  Index const floor2 = Index(std::bit_floor(std::uint64_t(need)));
  Index const near2 = 2 * floor2 <= room && 8 * floor2 <= 5 * need ? 2 * floor2 : floor2;
  if (anywhere && c.piece.extent >= (stored ? 8 : 256) * near2) return near2;
  if (anywhere && even && !stored && is_odd(c.piece.extent)) return std::min(near2, room);
  Index best = 1, above = 0;
  for (Index d : divisors(c.piece.extent)) {
    if (d > std::max(need, room)) break;
    if (anywhere && !is_smooth(d, 31)) continue;  // threads could share it out only whole
    if (d <= need) best = d;
    if (d >= need && d <= room && !above) above = d;
  }
  if (best == need) return best;
  if (above && above <= 2 * need) return above;
  if (anywhere && floor2 > best) return floor2;  // kernels share out powers of two with ease
  return above && above <= 4 * need && best * 2 < need ? above : best;
}

int ragged_digits(Tile const& tile) {
  int digits = 0;
  for (std::size_t i = 0; i < tile.carried.size(); ++i) {  // the pieces of a digit are neighbours
    bool const new_digit = i == 0 || tile.carried[i].piece.digit != tile.carried[i - 1].piece.digit;
    digits += tile.carried[i].bound && new_digit;
  }
  return digits;
}

}  // namespace

void extend_tile(Program& program, int s, TileAim aim, Tiling const& tiling, Tile& tile) {
  Sweep& sweep = program.sweeps[s];
  tiling.hold(sweep.with, tile);
  auto const take = [&](Carried const c, Index need) {
    if (c.negated) return false;
    Index const whole = extent_of(program, c.piece.digit);
    bool const stored = is_stored(program, c.piece.digit);
    Index const room = aim.capacity / tile_points(tile);
    if (Piece* cut = movable_cut(sweep, c, tiling.cut_by_layouts())) {
      Carried digit = c;
      digit.piece = {c.piece.digit, 1, whole};
      Index const share = share_of(digit, whole, need * cut->extent, room * cut->extent,
                                   c.bound || ragged_digits(tile) < 2, stored, aim.even);
      if (share <= cut->extent) return false;
      cut->extent = share;
      tiling.hold(sweep.with, tile);
      return true;
    }
    Index const share = share_of(c, whole, need, room, ragged_digits(tile) < 2, stored, aim.even);
    if (share <= 1) return false;
    hold(sweep, {c.piece.digit, c.piece.unit, share}, whole);
    tiling.hold(sweep.with, tile);
    return true;
  };
  for (Access access : {Access::read, Access::write})
    for (bool grew = true; grew;) {
      Index const run = access == Access::read ? read_segment(tile) : write_segment(tile);
      Index const segment = aim.segment * (element_bytes(program.problem) /
                                           (access == Access::read ? tile.read_bytes : tile.write_bytes));
      grew = false;
      if (run >= segment) break;
      for (Carried const& c : tile.carried)
        if (!c.held && (access == Access::read ? c.read : c.write) == run) {
          grew = take(c, (segment + run - 1) / run);
          break;
        }
    }
  // In the middle of a convolved axis lines of a batch read the same part of the spectrum, other parts of the axis do not.
  auto const order = [&](Carried const& c) {
    DigitKey const digit = c.piece.digit;
    bool const apart = digit.dim >= 0 && program.convolved.count(digit.dim) &&
                       std::any_of(sweep.transforms.begin(), sweep.transforms.end(), [&](DigitKey d) {
                         return d.dim == digit.dim && phase_of(program, s, d) == ConvolutionPhase::middle;
                       });
    return std::pair(apart, c.read);
  };
  std::set<DigitKey> done;  // of which no more is taken
  for (;;) {                // more of the fastest digits, so that a tile keeps enough threads busy
    Index const have = tile_points(tile);
    if (2 * have > aim.fill) break;
    Carried const* fastest = nullptr;
    for (Carried const& c : tile.carried)
      if (!c.held && !c.negated && !done.count(c.piece.digit) && (!fastest || order(c) < order(*fastest)))
        fastest = &c;
    if (!fastest) break;
    DigitKey const digit = fastest->piece.digit;
    if (take(*fastest, aim.fill / have)) continue;
    if (!aim.even) break;
    done.insert(digit);
  }
  std::sort(sweep.with.begin(), sweep.with.end());
}

void extend_tile(Program& program, int s, TileAim aim) {
  Tiling const tiling(program, s);
  Tile tile = tiling.holding({});
  extend_tile(program, s, aim, tiling, tile);
}

}  // namespace skipper
