#include "plan/chunk.h"

#include <algorithm>

#include "plan/tile.h"

namespace skipper {
namespace {

/// The batch digit where the grid of sweep s counts it last, and no tile holds a part of it.
Carried const* counted_last(Tile const& tile, DigitKey digit, Index whole) {
  Carried const* found = nullptr;
  for (Carried const& c : tile.carried) {
    if (c.piece.digit != digit) continue;
    if (c.held || c.bound || c.piece.extent != whole) return nullptr;
    found = &c;
  }
  if (!found) return nullptr;
  for (Carried const& c : tile.carried)
    if (!c.held && c.piece.digit != digit && c.read >= found->read) return nullptr;
  return found;
}

/// Elements from the first to behind the last of one index of the digit.
Index span_beside(std::vector<Placed> const& layout, DigitKey digit) {
  Index span = 1;
  for (Placed const& p : layout)
    if (p.piece.digit != digit) span += (p.piece.extent - 1) * p.stride;
  return span;
}

}  // namespace

std::optional<Chunk> chunk_of(Program const& program, int s, std::string* reason) {
  auto const refuse = [&](char const* why) {
    if (reason) *reason = why;
    return std::nullopt;
  };
  if (s + 1 >= int(program.sweeps.size())) return refuse("it has no sweep after it to share chunks with");
  auto const& layout = program.sweeps[s].layout;
  if (layout.empty()) return refuse("it writes no layout of its own");
  Piece const slowest = layout.front();
  if (slowest.digit.part < 0 || program.dims[slowest.digit.dim].axis)
    return refuse("the slowest digit it writes is not a batch dimension");
  Index const whole = extent_of(program, slowest.digit);
  if (slowest.extent != whole) return refuse("the batch dimension is cut in what it writes");
  Tile const first = tile_of(program, s), second = tile_of(program, s + 1);
  Carried const* const reads = counted_last(first, slowest.digit, whole);
  Carried const* const writes = counted_last(second, slowest.digit, whole);
  if (!reads || !writes)
    return refuse("a tile holds several of the batch, or they are not the slowest digit");
  Chunk chunk{slowest.digit.dim, whole, bytes_before(program, s + 1), reads->read * first.read_bytes,
              writes->write * second.write_bytes};
  for (Piece const& p : digits_before(program, s + 1))
    if (p.digit != slowest.digit) chunk.unit *= p.extent;
  return chunk;
}

bool chunks_stay(Program const& program, int s) {
  auto const chunk = chunk_of(program, s);
  if (!chunk || chunk->read != chunk->write) return false;
  DigitKey const digit{chunk->dim, 0};
  Index const read = span_beside(read_layout(program, s), digit) * tile_of(program, s).read_bytes;
  Index const written =
      span_beside(write_layout(program, s + 1), digit) * tile_of(program, s + 1).write_bytes;
  return std::max(read, written) <= chunk->read;
}

Index scratch_bytes(Program const& program) {
  Index most = 0;
  for (Sweep const& s : program.sweeps) most = std::max(most, (s.chunk + 255) / 256 * 256 * s.lanes);
  return most;
}

}  // namespace skipper
