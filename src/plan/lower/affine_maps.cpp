// See affine_maps.h.
#include "plan/lower/affine_maps.h"

#include <algorithm>

namespace skipper {

FineAffineMap blank(Draft const& draft) {
  return {std::vector<Index>(draft.fine_digits.digits.size(), 0), std::vector<Index>(draft.grid.size(), 0)};
}

Index reach(Tile const& tile, Draft const& draft, FineAffineMap const& map) {
  Index most = 0;
  for (std::size_t a = 0; a < map.tile.size(); ++a)
    most += map.tile[a] * (draft.fine_digits.digits[a].extent - 1);
  for (std::size_t g = 0; g < map.grid.size(); ++g) {
    Carried const& c = tile.carried[draft.grid[g]];
    most += map.grid[g] * (std::max(c.piece.extent, c.whole) - 1);
  }
  return most;
}

FineAffineMap axis_index(Program const& program, Tile const& tile, Draft const& draft, int dim,
                         Index FineDigit::*weight) {
  FineAffineMap map = blank(draft);
  auto const& radices = program.radices[dim];
  Index unit = 1;
  for (int part = int(radices.size()) - 1; part >= 0; --part) {
    add(map, index_of(tile, draft, {dim, part}, weight), unit);
    unit *= radices[part];
  }
  return map;
}

void add(FineAffineMap& map, FineAffineMap const& other, Index unit) {
  for (std::size_t a = 0; a < map.tile.size(); ++a) map.tile[a] += other.tile[a] * unit;
  for (std::size_t g = 0; g < map.grid.size(); ++g) map.grid[g] += other.grid[g] * unit;
}

FineAffineMap index_of(Tile const& tile, Draft const& draft, DigitKey digit, Index FineDigit::*weight) {
  FineAffineMap map = blank(draft);
  for (std::size_t a = 0; a < draft.fine_digits.digits.size(); ++a) {
    FineDigit const& fine_digit = draft.fine_digits.digits[a];
    bool const carried = fine_digit.radix_stage < 0;
    DigitKey const own =
        carried ? tile.carried[fine_digit.carried].piece.digit
                : tile.transformed[draft.fine_digits.radix_stages[fine_digit.radix_stage].sub].digit;
    if (own == digit) map.tile[a] = carried ? fine_digit.unit : fine_digit.*weight;
  }
  for (std::size_t g = 0; g < draft.grid.size(); ++g)
    if (tile.carried[draft.grid[g]].piece.digit == digit)
      map.grid[g] = tile.carried[draft.grid[g]].piece.unit;
  return map;
}

}  // namespace skipper
