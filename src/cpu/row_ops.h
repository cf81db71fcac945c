// Row ops: pre- and post-processing of cosine and sine transforms on rows of reals. Lines of a real axis stand side by
// side, so that a row holds one real of each line, or one complex number of each line where a complex transform of half
// the length does the rest. A table of entries says what a row op computes, with its reversals, signs, weights and scale.
#pragma once

#include "base/index.h"

namespace skipper::cpu {

/// Two rows to two rows. With x, y the rows from[0], from[1] and u, v the rows to[0], to[1], v written before u where
/// they are the same:
///   combine  u = c0 x + s0 y, v = c1 x + s1 y; in and out may be the same
///   pack     u = (c1 x + i s1 y)(c0 + i s0), complex; a row from -1 is zero
///   unpack   u = c1 Re z, v = s1 Im z, with z = x (c0 + i s0), x complex
template <class T>
struct RowPair {
  Index from[2] = {0, 0}, to[2] = {0, 0};
  T c[2] = {0, 0}, s[2] = {0, 0};
};

/// Between four real rows and two complex ones: the Hermitian split (hermitian_split.h) with rotations by t0 and t1.
///   split  with P, Q: 2 V_k and 2 V_h-k out of the complex rows Z_k, Z_h-k,
///          real[0] = f0 Re(t0 P), real[1] = -f1 Im(t0 P), real[2] = f2 Re(t1 Q), real[3] = -f3 Im(t1 Q),
///          the even ones of these written last
///   merge  its transpose
template <class T>
struct RowQuad {
  Index real[4] = {0, 0, 0, 0}, complex[2] = {0, 0};
  T w[2] = {1, 0}, t0[2] = {1, 0}, t1[2] = {1, 0};
  T f[4] = {1, 1, 1, 1};
};

enum class RowOp { combine, pack, unpack, split, merge };
inline constexpr int row_ops = 5;

/// out[j][q] = in[q][j] for j < rows, q < columns.
struct TransposeRowsArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index rows = 0, columns = 0, in_column = 0, out_row = 0;
};

/// A Pass (kernels.h). A row op takes in_row, out_row and columns, those of the real rows, and its table as `weights`: `rows`
/// entries, RowQuad for split and merge, else RowPair.
using RowPass = void (*)(struct PassArgs const&, void const* in, void* out);

/// The longest line that is transformed by a product with a matrix: out[k] = sum over j of in[j] weights[j][k], j and
/// k below `radix`, the rows of the matrix in_row apart and readable for a vector beyond their end. in and out may be
/// the same.
inline constexpr Index max_product = 33;

/// Consecutive entries that one line can do by vectors, as many at a time as there are lanes. The rows of one line are
/// single numbers; those of the next entry stand one further up or down. The rows here are those of the first entry.
/// Which of them rise is said for `up`, and all directions are opposite where `up` is false.
///   split, merge real[0] and real[3] rise, real[1] and real[2] fall; complex[0] rises, complex[1] falls; one factor for all;
///                tables are blocks of w, t0, t1, each its real and then its imaginary parts; of a long run they are of
///                `block` entries, to be multiplied by `coarse`, the real and imaginary parts of w, t0, t1 for each block
///   combine      real holds from[0], from[1], to[0], to[1]: the first of each rise, the second fall; factors c0, s0, c1, s1
///   pack         v_j = factor[0] x_2j and v_(n-1-j) = factor[1] x_(2j+1) for 2j < n = count, v the reals of the points
///   unpack       the way back: x_2j = factor[0] v_j, x_(2j+1) = factor[1] v_(n-1-j); either for the j that `begin` and
///                `end` of the pass say
/// In a run of DCT-IV or DST-IV pack and unpack also rotate. With t_k = table[k % block] coarse[k / block], complex, and their
/// partners t_(count-1-k) = -i conj(t_k last), for all k below begin and end of the pass and their partners,
///   pack         z_k = (factor[0] x_2k + i factor[1] x_(n-1-2k)) t_k, n = 2 count; the other way round, x_(n-1-2k) with
///                factor[0], where it is not `up`
///   unpack       x_2k = factor[0] Re(z_k t_k), x_(n-1-2k) = factor[1] Im(z_k t_k)
template <class T>
struct VectorRun {
  Index count = 0;  // of entries: a multiple of the lanes, but for pack and unpack
  Index real[4] = {0, 0, 0, 0}, complex[2] = {0, 0};
  bool up = true;
  T factor[4] = {1, 1, 1, 1};
  T const* table = nullptr;
  T const* coarse = nullptr;
  Index block = 0;
  T last[2] = {1, 0};
};

struct RowKernels {
  RowPass op[row_ops] = {};       // by RowOp
  RowPass run[row_ops] = {};      // the same for a VectorRun, which is `weights` then
  RowPass rotated[row_ops] = {};  // pack and unpack of DCT-IV and DST-IV
  RowPass product = nullptr;
  void (*transpose)(TransposeRowsArgs const&) = nullptr;
};

}  // namespace skipper::cpu
