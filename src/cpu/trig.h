// Cosine, sine and Hartley transforms of real lines side by side, as a short program: row ops (row_ops.h) and complex
// transforms of columns. The entries of a row op are functions of their number; only short ones are stored as a table
// (planned_row_op.h).
#pragma once

#include <skipper/problem.h>

#include <functional>
#include <optional>
#include <vector>

#include "cpu/row_ops.h"

namespace skipper::cpu {

/// The arrays of a program: the caller's, and two buffers of the tile.
enum class TrigArray { in, out, reals, points };

/// The product of one line with a matrix [n][n]: row j is in_first + j in_step, and likewise when written.
struct TrigProduct {
  Index n = 0, in_first = 0, in_step = 1, out_first = 0, out_step = 1;
  std::vector<double> matrix;
};

/// Sums over half a line of an odd length n, 0 <= j, k <= n/2, as parts of w^(j k): cos(2 pi j k / n), -sin(2 pi j k / n).
enum class Sum { cosine, sine };
struct PairSums {
  Sum re = Sum::cosine, im = Sum::sine;
};

/// One of: a row op; where `n` is not 0, a transform of TrigArray::points, which is a complex one of the first n rows or, where
/// `sums` is set, sums over the first n/2+1 rows, which are pairs of reals; where product.n is not 0, a matrix product.
struct TrigOp {
  RowOp kind = RowOp::combine;
  TrigArray from = TrigArray::in, to = TrigArray::out;
  Index count = 0;                             // entries of a row op
  std::function<RowPair<double>(Index)> pair;  // of combine, pack and unpack
  std::function<RowQuad<double>(Index)> quad;  // of split and merge: w, t0 and t1 rotate by a constant each
  Index n = 0;
  Direction direction = Direction::forward;
  std::optional<PairSums> sums;
  TrigProduct product;
};

/// TrigArray::in is read by the first op only, and before anything is written to TrigArray::out: they may be the same.
struct TrigProgram {
  std::vector<TrigOp> ops;
  Index reals = 0, points = 0;  // rows of the buffers: of reals, of complex numbers
};

/// `ortho`: the weights at the end points that make the transform orthonormal up to a factor, which `scale` holds.
/// `one_line`: for one line at a time, whose short parts are matrix products.
/// `roots`: what the entries are rotated by: the closest doubles; to within 2^-51, which is quick; or not at all, where
/// a plan is only counted.
/// `by_sums`: which odd lengths are transformed by sums over pairs; none where it is empty.
enum class TrigRoots { exact, quick, none };
TrigProgram trig_program(AxisKind kind, Index n, double scale, bool ortho, bool one_line,
                         TrigRoots roots = TrigRoots::exact, std::function<bool(Index)> by_sums = {});

}  // namespace skipper::cpu
