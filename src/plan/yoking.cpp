#include "plan/yoking.h"

#include <algorithm>

#include "plan/layouts.h"
#include "plan/tile.h"

namespace skipper {
namespace {

Index tile_bytes(Program const& program, int s) {
  return tile_points(tile_of(program, s)) * element_bytes(program.problem);
}

/// One piece of what a sweep carries, as much of it as makes the tile so large; left as it was where that cannot be.
void resize(Program& program, int s, std::size_t p, Index bytes) try {
  constexpr Index least = 4;  // of segments shorter than a sector nothing is gained
  Program other = program;
  Piece& piece = other.sweeps[s].with[p];
  Index const all = extent_of(program, piece.digit) / piece.unit;
  while (tile_bytes(other, s) > bytes && piece.extent % 2 == 0 && piece.extent > least) piece.extent /= 2;
  while (2 * tile_bytes(other, s) <= bytes && 2 * piece.extent <= all && all % (2 * piece.extent) == 0)
    piece.extent *= 2;
  tile_bytes(other, s);
  program = std::move(other);
} catch (Error const&) {  // a tile that no layout has
}

}  // namespace

Program with_even_tiles(Program program, int s, Index bytes) {
  Index const segment = std::max<Index>(1, 128 / element_bytes(program.problem));
  auto const gathered = layout_gathered(program, s + 1, segment);
  // What a sweep before has gathered for the first of the two is not to be torn.
  bool const gathers = s == 0 && gathered && *gathered == program.sweeps[s].layout;
  for (int i : {s + 1, s}) {
    for (std::size_t p = 0; p < program.sweeps[i].with.size(); ++p) resize(program, i, p, bytes);
    if (i == s || !gathers) continue;
    Index const written = std::min(segment, write_segment(tile_of(program, i)));
    if (auto const layout = layout_gathered(program, i, written)) program.sweeps[s].layout = *layout;
  }
  return program;
}

}  // namespace skipper
