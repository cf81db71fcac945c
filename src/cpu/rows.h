// Work on rows of contiguous reals, the lines of a real axis side by side, around complex transforms that hold half
// of a line each: one complex number for every column, so that no line touches its neighbour's. What a row op computes
// is told by a table of moves; reversals, signs, weights and scale are all in there.
#pragma once

#include "base/index.h"

namespace skipper::cpu {

/// With x, y the rows from[0], from[1] and u, v the rows to[0], to[1], v written before u where they are the same:
///   mix    u = c0 x + s0 y, v = c1 x + s1 y; in and out may be the same
///   zip    u = (c1 x + i s1 y)(c0 + i s0), complex; a row from -1 is zero
///   unzip  u = c1 Re z, v = s1 Im z, with z = x (c0 + i s0), x complex
template <class T>
struct RowMove {
  Index from[2] = {0, 0}, to[2] = {0, 0};
  T c[2] = {0, 0}, s[2] = {0, 0};
};

/// Four real rows, two complex ones: the real spectrum from and to its half (halves.h), turned by t0 and t1.
///   split  with P, Q: 2 V_k and 2 V_h-k out of the complex rows Z_k, Z_h-k,
///          real[0] = f0 Re(t0 P), real[1] = -f1 Im(t0 P), real[2] = f2 Re(t1 Q), real[3] = -f3 Im(t1 Q),
///          the even ones of these written last
///   join   its transpose
template <class T>
struct RowQuad {
  Index real[4] = {0, 0, 0, 0}, complex[2] = {0, 0};
  T w[2] = {1, 0}, t0[2] = {1, 0}, t1[2] = {1, 0};
  T f[4] = {1, 1, 1, 1};
};

enum class RowOp { mix, zip, unzip, split, join };
inline constexpr int row_ops = 5;

/// out[j][q] = in[q][j] for j < rows, q < columns.
struct TurnArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index rows = 0, columns = 0, in_column = 0, out_row = 0;
};

/// Passes (kernels.h). Of a row op in_row, out_row and columns, those of the real rows, are looked at, and the table is
/// `weights`: RowMove, or RowQuad for split and join, `rows` of them.
using RowPass = void (*)(struct PassArgs const&, void const* in, void* out);

/// The longest line that is a product with a matrix: out[k] = sum over j of in[j] weights[j][k], j and k below `radix`, the
/// rows of the matrix in_row apart and readable for a vector beyond their end. in and out may be the same.
inline constexpr Index most_product = 33;

struct RowKernels {
  RowPass op[row_ops] = {};  // by RowOp
  RowPass product = nullptr;
  void (*turn)(TurnArgs const&) = nullptr;
};

}  // namespace skipper::cpu
