#pragma once
// Rows and their twins, of a mirror (ends.h). The indices of a row along the axes that other sweeps transform are
// counted by the grid; the twin's are these negated, digit by digit: -(a + n b) is n - a and one less than -b, or where
// a is 0, 0 and -b. Where a cluster transforms all axes, its ranks count the lowest part of one.
#include "kernel/form.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

/// Where the axes beside a mirrored one are transformed in other sweeps, element k meets one of another row of the grid: a
/// tile has a row and its twin, at the negated index along each of these axes. Of one digit the grid counts half, and the
/// twins are the rest.
struct Twins {
  bool used = false;
  int digit = 0;    // of the tile: 0 for the row, 1 for its twin
  int weight = 0;   // of it in shared memory
  int negated = 0;  // digits of the grid, those of an axis one after the other, the lowest first
  int grid[max_grid] = {};
  int axis[max_grid] = {};     // number from 1 on
  Wide extent[max_grid] = {};  // of all rows
  int half = 0;                // which of them is counted half way
  int above[max_mirrored] =
      {};         // of each mirrored digit, the axis of which the grid, or ranks, count lower digits; 0: none
  int ranks = 1;  // blocks of a cluster that count the rows instead of the grid
  int unit = 1;   // of what they count: 1 is the lowest part of an index, more a part of a line's own
  constexpr bool operator==(Twins const&) const = default;
};

/// The grid digits of the twin, given those of the row; those that are not negated are the caller's.
template <class N>
constexpr void negate(N digits, Twins const& of, Wide const* row, Wide* twin) {
  bool below = false;  // whether a lower digit of the axis is not 0
  repeat(digits, [&](int i) {
    if (i > 0 && of.axis[i] != of.axis[i > 0 ? i - 1 : 0]) below = false;
    Wide const digit = row[of.grid[i]];
    twin[of.grid[i]] = below ? of.extent[i] - 1 - digit : digit == 0 ? 0 : of.extent[i] - digit;
    below = below || digit != 0;
  });
}

/// Whether mirrored digit m is negated to one less, for what is below it in the grid.
template <class N>
constexpr bool borrows(N digits, Twins const& of, Wide const* row, int m) {
  bool below = false;
  repeat(digits, [&](int i) { below = below || (of.axis[i] == of.above[m] && row[of.grid[i]] != 0); });
  return below;
}

/// Where the blocks of a cluster count the rows, by the lowest part of their index, and the digit above tells rows and
/// twins apart, rank r of n has row r and the twin -r modulo 2n: 2n - r, where the digits that count say n + r. So of twins the
/// rank is another one. Rank 0 has 0 and n, each its own twin. Of a line that a cluster holds by itself ranks count a part
/// higher up, so that what a block has are runs. There -(a + u b) is u - a and one less than -b: rank r has run r and
/// the twin 2n - 1 - r, except where a is 0, whose partners are with the rank beside.
constexpr int rank_of_twin(Twins const& of, int rank) {
  return of.unit > 1 ? of.ranks - 1 - rank : rank == 0 ? 0 : of.ranks - rank;
}
constexpr int rank_beside(Twins const& of, int rank, bool twin) {
  if (twin) return rank + 1 < of.ranks ? rank + 1 : rank;
  return rank > 0 ? rank - 1 : 0;
}

/// Whether the grid counts the twin as a row of its own too: then it is not to be written twice.
constexpr bool is_counted(Twins const& of, Wide const* twin, Wide rows) {
  return twin[of.grid[of.half]] < rows;
}

}  // namespace skipper::kernel
