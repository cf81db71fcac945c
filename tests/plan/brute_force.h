// Small programs taken apart element by element, straight from the meaning of digits and layouts and without the
// code under test: which addresses each tile of a sweep reads and writes.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "plan/program.h"

namespace skipper::testing {

/// Addresses of one tile, ascending.
struct Addresses {
  std::vector<Index> read, write;
  auto operator<=>(Addresses const&) const = default;
};

/// Where an element with these digits stands in a layout.
inline Index address_in(std::vector<Placed> const& layout, std::map<DigitKey, Index> const& digits) {
  Index at = 0;
  for (Placed const& p : layout) at += digits.at(p.piece.digit) / p.piece.unit % p.piece.extent * p.stride;
  return at;
}

/// All tiles of sweep s. Two elements share a tile when they differ only in digits that are transformed and in the
/// pieces of others that the tile holds.
inline std::vector<Addresses> tiles_by_brute_force(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  auto const read = read_layout(program, s), write = write_layout(program, s);
  std::map<std::map<DigitKey, Index>, Addresses> tiles;
  auto const all = all_digits(program);
  std::map<DigitKey, Index> digits;
  for (Piece const& p : all) digits[p.digit] = 0;
  for (;;) {
    std::map<DigitKey, Index> outside = digits;
    for (DigitKey d : sweep.transforms) outside[d] = 0;
    for (Piece const& p : sweep.with) outside[p.digit] -= digits[p.digit] / p.unit % p.extent * p.unit;
    Addresses& tile = tiles[outside];
    tile.read.push_back(address_in(read, digits));
    tile.write.push_back(address_in(write, digits));
    std::size_t i = 0;
    while (i < all.size() && ++digits[all[i].digit] == all[i].extent) digits[all[i++].digit] = 0;
    if (i == all.size()) break;
  }
  std::vector<Addresses> list;
  for (auto& [outside, tile] : tiles) {
    std::sort(tile.read.begin(), tile.read.end());
    std::sort(tile.write.begin(), tile.write.end());
    list.push_back(std::move(tile));
  }
  return list;
}

}  // namespace skipper::testing
