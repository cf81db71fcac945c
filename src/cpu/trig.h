// Cosine and sine transforms of real lines side by side, as a short list of ops: row ops (row_ops.h) and complex
// transforms of columns. The entries of a row op are functions of their number: short tables of them are written down,
// long ones never (planned_row_op.h).
#pragma once

#include <skipper/problem.h>

#include <functional>
#include <optional>
#include <vector>

#include "cpu/row_ops.h"

namespace skipper::cpu {

/// Where rows are: the caller's arrays, or buffers of the tile.
enum class TrigArray { in, out, reals, points };

/// Rows times a matrix [n][n], of a single line: row j is in_first + j in_step, and likewise when written.
struct TrigProduct {
  Index n = 0, in_first = 0, in_step = 1, out_first = 0, out_step = 1;
  std::vector<double> matrix;
};

/// Sums over half a line of an odd length n, 0 <= j, k <= n/2, as parts of w^(j k): cos(2 pi j k / n), -sin(2 pi j k / n).
enum class Sum { cosine, sine };
struct PairSums {
  Sum re = Sum::cosine, im = Sum::sine;
};

/// A row op; a transform of TrigArray::points where `n` is not 0, a complex one of the first n rows or, of an odd n, sums over
/// the first n/2+1, rows being pairs of reals; or a product where that has an n.
struct TrigOp {
  RowOp kind = RowOp::combine;
  TrigArray from = TrigArray::in, to = TrigArray::out;
  Index count = 0;                             // entries of a row op
  std::function<RowPair<double>(Index)> pair;  // of mix, pack and unpack
  std::function<RowQuad<double>(Index)> quad;  // of split and join: w, t0 and t1 rotate by a constant each
  Index n = 0;
  Direction direction = Direction::forward;
  std::optional<PairSums> sums;
  TrigProduct product;
};

/// TrigArray::in is read by the first action only, and before anything is written to TrigArray::out: they may be the same.
struct TrigProgram {
  std::vector<TrigOp> ops;
  Index reals = 0, points = 0;  // rows of the buffers: of reals, of complex numbers
};

/// `ortho`: the weights at the end points that make the transform orthonormal up to a factor, which `scale` holds.
/// `one_line`: for one line at a time, whose short parts are products.
/// `roots`: what the entries are rotated by: the closest doubles; to within 2^-51, which is quick; or not at all, where
/// a plan is only counted.
/// `by_sums`: which odd lengths are transformed by sums over pairs; none where it is empty.
enum class TrigRoots { exact, quick, none };
TrigProgram trig_program(AxisKind kind, Index n, double scale, bool ortho, bool single,
                         TrigRoots roots = TrigRoots::exact, std::function<bool(Index)> by_sums = {});

}  // namespace skipper::cpu
