// See l2_block.h.
#include "plan/l2_block.h"

#include <algorithm>

#include "base/device_alignment.h"
#include "plan/tile.h"

namespace skipper {
namespace {

/// Whether sweep s does the same at each index of the digit: it does not transform it, no twiddle comes from it (a digit
/// of the same axis that is transformed already has none), and neither end depends on it.
bool is_free(Program const& program, int s, DigitKey digit) {
  Dimension const& dim = program.dims[digit.dim];
  if (!dim.axis) return true;
  if (digit.part < 0 || real_transform_of(program, digit.dim) || program.convolved.count(digit.dim) ||
      is_partial(program.problem) || has_conjugate_rows(program, s))
    return false;
  auto const& own = program.sweeps[s].transforms;
  return std::none_of(own.begin(), own.end(),
                      [&](DigitKey d) { return d.dim == digit.dim && d.part <= digit.part; });
}

/// The piece as the grid of a sweep counts it.
Carried const* counted(Tile const& tile, Piece const& piece) {
  for (Carried const& c : tile.carried)
    if (c.piece == piece && !c.held && !c.bound) return &c;
  return nullptr;
}

/// Whether the grid can count the first `leading` pieces of the layout last: it counts them at all, and they lead elsewhere.
bool can_be_counted_last(Tile const& tile, std::vector<Piece> const& layout, std::size_t leading) {
  return std::all_of(layout.begin(), layout.begin() + std::ptrdiff_t(leading), [&](Piece const& piece) {
    Carried const* const c = counted(tile, piece);
    return c && c->read > 0;
  });
}

/// Whether they are the slowest that the sweep reads, in their order.
bool are_slowest(Tile const& tile, std::vector<Piece> const& layout, std::size_t leading) {
  Index slowest = -1;
  for (Carried const& c : tile.carried)
    if (!c.held && std::find(layout.begin(), layout.begin() + leading, c.piece) == layout.begin() + leading)
      slowest = std::max(slowest, c.read);
  for (std::size_t i = leading; i-- > 0;) {
    Index const own = counted(tile, layout[i])->read;
    if (own <= slowest) return false;
    slowest = own;
  }
  return true;
}

/// Indices of the digit that a tile of a sweep within L2 buffer holds; 0 where the grid does not count the others last.
/// What such tiles write past a ragged edge is never read.
Index held_together(Tile const& tile, DigitKey digit) {
  Index held = 1, own = -1, slowest = -1;
  for (Carried const& c : tile.carried)
    if (c.piece.digit != digit)
      slowest = c.held ? slowest : std::max(slowest, c.read);
    else if (c.held)
      held *= c.piece.extent;
    else
      own = own < 0 ? c.read : std::min(own, c.read);
  return own > slowest ? held : 0;
}

}  // namespace

int first_of_l2_block(Program const& program, int s) {
  while (s > 0 && program.sweeps[s - 1].l2_block) --s;
  return s;
}

int sweeps_of_l2_block(Program const& program, int s) {
  int last = s;
  while (program.sweeps[last].l2_block && last + 1 < int(program.sweeps.size())) ++last;
  return last - s + 1;
}

Index L2Block::all() const {
  Index n = along.size;
  for (L2BlockDigit const& d : around) n *= d.size;
  return n;
}

std::optional<L2Block> l2_block_of(Program const& program, int s, Index bytes, std::string* reason,
                                   int sweeps) {
  auto const refuse = [&](char const* why) {
    if (reason) *reason = why;
    return std::nullopt;
  };
  int const last = s + sweeps - 1;
  if (last >= int(program.sweeps.size())) return refuse("it has no sweep after it to share L2 blocks with");
  auto const& layout = program.sweeps[s].layout;
  L2Block l2_block;
  for (int i = s + 1; i < last; ++i) {
    Index const held = held_together(tile_of(program, i), layout.front().digit);
    if (program.sweeps[i].layout != layout || !writes_where_it_reads(program, i) || !held)
      return refuse("the sweep after it, which leaves L2 blocks too, does not write each where it reads it");
    l2_block.together = std::max(l2_block.together, held);
  }
  l2_block.unit = bytes_before(program, s + 1) * places_between(program, s + 1);
  std::optional<Tile> first, second;
  for (std::size_t leading = 1; leading <= layout.size(); ++leading) {
    Piece const& piece = layout[leading - 1];
    for (int i = s; i <= last; ++i)
      if (!is_free(program, i, piece.digit) || (sweeps > 2 && leading > 1))
        return refuse("what it writes has no slow digits, dense enough, that all its sweeps leave alone");
    if (!first) first = tile_of(program, s), second = tile_of(program, last);
    if (!can_be_counted_last(*first, layout, leading) || !can_be_counted_last(*second, layout, leading))
      return refuse("a tile holds part of the slowest digit it writes, or all of that is read in one place");
    l2_block.slowest = are_slowest(*first, layout, leading) && are_slowest(*second, layout, leading);
    l2_block.along = {piece.extent, counted(*first, piece)->read * first->read_bytes,
                      counted(*second, piece)->write * second->write_bytes};
    l2_block.unit /= piece.extent;
    if (l2_block.unit * l2_block.together <= bytes) return l2_block;
    l2_block.around.push_back(l2_block.along);
  }
  return refuse("a transform is larger than its L2 blocks");
}

bool l2_blocks_stay(Program const& program, int s, Index bytes, int sweeps) {
  auto const l2_block = l2_block_of(program, s, bytes, nullptr, sweeps);
  auto const alike = [](L2BlockDigit const& d) { return d.read == d.write; };
  if (!l2_block || !alike(l2_block->along) ||
      !std::all_of(l2_block->around.begin(), l2_block->around.end(), alike))
    return false;
  int const last = s + sweeps - 1;
  auto const& layout = program.sweeps[s].layout;
  auto const slow = layout.begin() + std::ptrdiff_t(l2_block->around.size() + 1);
  auto const span = [&](std::vector<Placed> const& placed, Index element, Index Dimension::*stride) {
    Index n = 1;  // elements from the first to behind the last of one index
    for (Placed const& p : placed)
      if (std::find(layout.begin(), slow, p.piece) == slow && !program.convolved.count(p.piece.digit.dim))
        n += (p.piece.extent - 1) * p.stride;
    for (int d : program.convolved)  // whose digits count more than there is
      n += (program.dims[d].size - 1) * (program.dims[d].*stride);
    return n * element;
  };
  return std::max(span(read_layout(program, s), tile_of(program, s).read_bytes, &Dimension::in),
                  span(write_layout(program, last), tile_of(program, last).write_bytes, &Dimension::out)) <=
         l2_block->along.read;
}

Index l2_buffer_bytes(Program const& program) {
  Index most = 0;
  for (Sweep const& s : program.sweeps) most = std::max(most, device_aligned(s.l2_block) * s.streams);
  return most;
}

}  // namespace skipper
