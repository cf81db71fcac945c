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

/// Four real rows, two complex ones: the real spectrum from and to its half (halves.h), rotated by t0 and t1.
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
struct TransposeRowsArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index rows = 0, columns = 0, in_column = 0, out_row = 0;
};

/// Passes (kernels.h). Of a row op in_row, out_row and columns, those of the real rows, are looked at, and the table is
/// `weights`: RowMove, or RowQuad for split and join, `rows` of them.
using RowPass = void (*)(struct PassArgs const&, void const* in, void* out);

/// The longest line that is a product with a matrix: out[k] = sum over j of in[j] weights[j][k], j and k below `radix`, the
/// rows of the matrix in_row apart and readable for a vector beyond their end. in and out may be the same.
inline constexpr Index max_product = 33;

/// Entries of a table whose rows run on from one to the next, for a single line, whose rows are single numbers next to
/// each other: as many at a time as there are lanes. The rows are those of the first entry; which rise is said for
/// `up`, and is the other way round where it is not.
///   split, join  real[0] and real[3] rise, real[1] and real[2] fall; complex[0] rises, complex[1] falls; one factor for all;
///                tables are blocks of w, t0, t1, each its real and then its imaginary parts; of a long run they are of
///                `block` entries, to be multiplied by `coarse`, the real and imaginary parts of w, t0, t1 for each block
///   mix          real holds from[0], from[1], to[0], to[1]: the first of each rise, the second fall; factors c0, s0, c1, s1
///   zip          v_j = factor[0] x_2j and v_(n-1-j) = factor[1] x_(2j+1) for 2j < n = count, v the reals of the points
///   unzip        the way back: x_2j = factor[0] v_j, x_(2j+1) = factor[1] v_(n-1-j); either for the j that `begin` and
///                `end` of the pass say
/// A run of the fourth kind, whose zip and unzip rotate: with t_k = table[k % block] coarse[k / block], complex, and their
/// partners t_(count-1-k) = -i conj(t_k last), for all k below begin and end of the pass and their partners,
///   zip          z_k = (factor[0] x_2k + i factor[1] x_(n-1-2k)) t_k, n = 2 count; the other way round, x_(n-1-2k) with
///                factor[0], where it is not `up`
///   unzip        x_2k = factor[0] Re(z_k t_k), x_(n-1-2k) = factor[1] Im(z_k t_k)
template <class T>
struct RowRun {
  Index count = 0;  // of entries: a multiple of the lanes, but for zip and unzip
  Index real[4] = {0, 0, 0, 0}, complex[2] = {0, 0};
  bool up = true;
  T factor[4] = {1, 1, 1, 1};
  T const* table = nullptr;
  T const* coarse = nullptr;
  Index block = 0;
  T last[2] = {1, 0};
};

struct RowKernels {
  RowPass op[row_ops] = {};      // by RowOp
  RowPass run[row_ops] = {};     // the same for a RowRun, which is `weights` then
  RowPass rotated[row_ops] = {};  // zip and unzip of the fourth kind
  RowPass product = nullptr;
  void (*transpose)(TransposeRowsArgs const&) = nullptr;
};

}  // namespace skipper::cpu
