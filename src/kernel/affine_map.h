#pragma once
// Affine maps over digits, and how many digits and steps a spec can have. The constant of each is kept where it is used: the base
// of an exchange, the first element of a side.
namespace skipper::kernel {

using Wide = long long;

inline constexpr int max_digits = 20;  // digits of a tile
inline constexpr int max_grid = 10;    // digits counted by the block index
inline constexpr int max_steps = 12;
inline constexpr int max_guards = 8;
inline constexpr int max_group = 5;          // digits that one butterfly joins
inline constexpr int max_registers = 64;     // elements a thread may hold
inline constexpr int max_symbols = 3;        // axes that a symbol is a sum over
inline constexpr int max_split_digits = 4;   // transformed digits of a Hermitian sweep
inline constexpr int max_rader_radices = 4;  // of a prime less one, whose lines are convolved in place
inline constexpr int max_direct_dft = 127;   // points of a digit that a direct DFT transforms

/// sum(digit x weight) over the digits of the tile and of the grid.
struct AffineMap {
  Wide tile[max_digits] = {};
  Wide grid[max_grid] = {};
  constexpr bool operator==(AffineMap const&) const = default;
};

}  // namespace skipper::kernel
