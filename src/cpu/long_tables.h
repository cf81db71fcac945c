// The tables that the three sweeps of a long convolution (long_convolution.cpp) share. A line of n points becomes a convolution
// of m = n1 n2 points:
//   Bluestein (bluestein.cpp): point j is x_j times the chirp c_j, zeros follow, and result k is multiplied by c_k.
//   Rader (rader.cpp), where m = n - 1: point j is x at g^j, result k is X at g^-k; x_0 and X_0 are handled apart.
// The tables would be about as long as the line, so entries that follow from others are not stored:
//   The chirp is stored for every s-th row of n2 points. With a = s i n2 + j2 and b < s,
//   c_(a + b n2) = c_a w_n^(b n2 j2) c', where c', the row's rotation, is the same for the whole row.
//   The response R is symmetric. Bluestein's: R_(m-k) = R_k. Rader's, since g^(m/2) = -1: R_(m-k) = conj R_k for even k and
//   -conj R_k for odd k. So row n1 - k1 reversed gives row k1, and half of the rows are stored.
// With Bluestein n1 is even, and only the first n1/2 rows hold points, and later results. A column is therefore done as two
// transforms of n1/2 points (decimation in frequency), one for each parity of k1: that of the points gives the even k1, that
// of the points times w_n1^j1, a factor which is part of the rotation, gives the odd k1.
#pragma once

#include <vector>

#include "cpu/convolution.h"
#include "cpu/long_line.h"
#include "cpu/two_level_powers.h"

namespace skipper::cpu {

template <class T>
struct LongTables {
  Index n = 1, m = 1, n1 = 1, n2 = 1;
  LineKind line_kind = LineKind::complex;
  double scale = 1;
  Index points = 1, results = 1;  // numbers read and written; of a spectrum of reals one half
  bool by_rader = false;          // else Bluestein
  TwoLevelPowers powers;          // for Rader
  /// The first rows_in_out of the n1 rows are in the array that the line goes to, the others in Array::line.
  Index rows_in_out = 0;
  /// Numbers from row to row in Array::line: not a power of two, lest all rows of a column fall into one set of a cache.
  Index pitch = 1;

  /// `out_of_place`: the line comes from one array and goes to another.
  LongTables(StepSpec const& spec, bool out_of_place, TableMaker& tables);

  /// Scalars of Array::line. With Rader x_0 and X_0 follow the rows, at after_rows().
  Index line() const { return 2 * (n1 - rows_in_out) * pitch + (by_rader ? 4 : 0); }
  T* row(Index k1, T* out, T* rest) const {
    return k1 < rows_in_out ? out + 2 * k1 * n2 : rest + 2 * (k1 - rows_in_out) * pitch;
  }
  T* after_rows(T* rest) const { return rest + 2 * (n1 - rows_in_out) * pitch; }

  /// The transforms that a column of n1 is done by: two with Bluestein, for even and for odd k1.
  Index parities() const { return by_rader ? 1 : 2; }
  /// c_j for j = j1 n2 + j2 and after, within the row: stored[i] step[i], without step where that is null, times a rotation. There
  /// are two rotations, for the even and for the odd k1.
  struct Chirp {
    T const *stored, *step, *rotations;
  };
  Chirp chirp(Index j1, Index j2, bool back) const;
  /// Multiplies row k1 by the spectrum of the response, which includes the scale and 1/m; `row_buffer` holds a row.
  void multiply(Index k1, T* row, T* row_buffer, Kernels const& kernels) const;

 private:
  void make_bluestein(bool forward, TableMaker& tables);
  void make_rader(bool forward, TableMaker& tables);

  Index spacing_ = 1;        // of the chirp's rows that are stored
  Table<T> chirp_, steps_;   // [stored row][n2], [b - 1][n2]
  Table<T> rotations_[2];    // of points, of results; [row][2]
  Index response_rows_ = 1;  // rows of the response
  Table<T> response_;        // [response_rows_][n2]
};

/// n1 x n2 for a line of n; {} where passes can do no such convolution.
template <class T>
TwoFactors factor_long_convolution(Index n, LineKind line_kind, Kernels const& kernels);

}  // namespace skipper::cpu
