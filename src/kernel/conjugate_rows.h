#pragma once
// Rows and their conjugate rows, of a Hermitian split (real_processing.h). The grid counts the indices of a row along the
// axes that other sweeps transform; those of its conjugate are these negated, digit by digit: -(a + n b) is n - a and one
// less than -b, or where a is 0, 0 and -b. Where a cluster transforms all axes, its ranks count the lowest part of one.
#include "kernel/affine_map.h"
#include "kernel/select.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

/// Where the axes beside a Hermitian one are transformed in other sweeps, element k meets one of another row of the grid: a
/// tile has a row and its conjugate, at the negated index along each of these axes. Of one digit the grid counts half, and the
/// conjugate rows are the rest.
struct ConjugateRows {
  bool used = false;
  int digit = 0;    // of the tile: 0 for the row, 1 for its conjugate
  int weight = 0;   // of it in shared memory
  int negated = 0;  // digits of the grid, those of an axis one after the other, the lowest first
  int grid[max_grid] = {};
  int axis[max_grid] = {};     // number from 1 on
  Wide extent[max_grid] = {};  // of all rows
  int half = 0;                // which of them is counted half way
  int above[max_split_digits] =
      {};  // of each Hermitian digit, the axis of which the grid, or ranks, count lower digits; 0: none
  int cluster_ranks = 1;  // blocks of a cluster that count the rows instead of the grid
  int unit = 1;           // of what they count: 1 is the lowest part of an index, more a part of a line's own
  constexpr bool operator==(ConjugateRows const&) const = default;
};

/// The grid digits of the conjugate, given those of the row; those that are not negated are the caller's.
template <class N, class Number>
constexpr void negate(N digits, ConjugateRows const& of, Number const* row, Number* conjugate) {
  decltype(row[0] != 0) below = false;  // whether a lower digit of the axis is not 0
  repeat(digits, [&](int i) {
    if (i > 0 && of.axis[i] != of.axis[i > 0 ? i - 1 : 0]) below = false;
    Number const digit = row[of.grid[i]], other = of.extent[i] - digit;
    conjugate[of.grid[i]] = select(below, Number(other - 1), select(digit == 0, Number(0), other));
    below = below || digit != 0;
  });
}

/// Whether Hermitian digit m is negated to one less, for what is below it in the grid.
template <class N, class Number>
constexpr auto borrows(N digits, ConjugateRows const& of, Number const* row, int m) {
  decltype(row[0] != 0) below = false;
  repeat(digits, [&](int i) { below = below || (of.axis[i] == of.above[m] && row[of.grid[i]] != 0); });
  return below;
}

/// Where the blocks of a cluster count the rows, by the lowest part of their index, and the digit above tells rows and
/// conjugate rows apart, rank r of n has row r and the conjugate -r modulo 2n: 2n - r, where the digits that count say n + r.
/// So of conjugate rows the rank is another one. Rank 0 has 0 and n, each its own conjugate. Of a line that a cluster holds
/// by itself ranks count a part higher up, so that what a block has are runs. There -(a + u b) is u - a and one less than -b:
/// rank r has run r and the conjugate 2n - 1 - r, except where a is 0, whose partners are with the rank beside.
template <class Number>
constexpr Number rank_of_conjugate(ConjugateRows const& of, Number cluster_rank) {
  Number const other = of.cluster_ranks - cluster_rank;
  return of.unit > 1 ? Number(other - 1) : select(cluster_rank == 0, Number(0), other);
}
template <class Number, class Yes>
constexpr Number rank_beside(ConjugateRows const& of, Number cluster_rank, Yes conjugate) {
  Number const after = cluster_rank + 1, before = cluster_rank - 1;
  return select(conjugate, select(after < of.cluster_ranks, after, cluster_rank),
                select(cluster_rank > 0, before, Number(0)));
}

/// Whether the grid counts the conjugate as a row of its own too: then it is not to be written twice.
template <class Number>
constexpr auto is_counted(ConjugateRows const& of, Number const* conjugate, Wide rows) {
  return conjugate[of.grid[of.half]] < rows;
}

}  // namespace skipper::kernel
