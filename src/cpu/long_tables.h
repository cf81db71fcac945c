// What the three sweeps of a long convolution (long_convolution.cpp) share: the rule that makes a line of n points a
// convolution of m = n1 n2 points, and how its two ends are read and written.
//   Bluestein (bluestein.cpp): point j times the chirp c_j, zeros beyond, result k times c_k.
//   Rader (rader.cpp), where m = n - 1: point j is x at g^j, result k is X at g^-k; x_0 and X_0 go their own way.
// The tables are about as long as the line, so what follows from other entries is not stored:
//   Of the chirp some rows of n2 stand here, s rows apart. With a = s i n2 + j2 and b < s,
//   c_(a + b n2) = c_a w_n^(b n2 j2) c', c' being the same all over a row: its rotation.
//   The response is symmetric. Bluestein's, with as many points as results: R_(m-k) = R_k. Rader's, since g^(m/2) = -1:
//   R_(m-k) = conj R_k for even k and -conj R_k for odd ones. Row k1 is then row n1 - k1 backwards, and half of them do.
// By Bluestein's rule n1 is even and only the first n1/2 rows hold points, and later results. Columns are therefore done as
// two halves, which give the even and the odd k1: the points, and the points times w_n1^j1, which the rotation takes in.
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
  Index points = 1, results = 1;  // read and written; a spectrum of reals is half there
  bool by_rader = false;          // by Rader's rule
  TwoLevelPowers powers;          // then
  /// So many of the n1 rows stand in the array that the line goes to, the others in Array::line.
  Index rows_in_out = 0;
  /// From row to row there: not a power of two, lest all rows of a column fall into one set of a cache.
  Index pitch = 1;

  /// `apart`: the arrays that the line comes from and goes to are two.
  LongTables(StepSpec const& spec, bool apart, TableMaker& tables);

  /// Scalars of Array::line. By Rader's rule x_0 and X_0 stand behind the rows.
  Index line() const { return 2 * (n1 - rows_in_out) * pitch + (by_rader ? 4 : 0); }
  T* row(Index k1, T* out, T* rest) const {
    return k1 < rows_in_out ? out + 2 * k1 * n2 : rest + 2 * (k1 - rows_in_out) * pitch;
  }
  T* after_rows(T* rest) const { return rest + 2 * (n1 - rows_in_out) * pitch; }

  /// PassTables that columns of n1 are done in.
  Index parities() const { return by_rader ? 1 : 2; }
  /// c_j for j = j1 n2 + j2 and after, within the row: stored[i] step[i], without step where that is null, times a rotation. There
  /// are two rotations, for the even and the odd half of the columns.
  struct Chirp {
    T const *stored, *step, *rotations;
  };
  Chirp chirp(Index j1, Index j2, bool back) const;
  /// Multiplies row k1 by the response with the scale and 1/m, its spectrum in the order of the sweeps; `row_buffer` holds a row.
  void multiply(Index k1, T* row, T* row_buffer, Kernels const& kernels) const;

 private:
  void make_bluestein(bool forward, TableMaker& tables);
  void make_rader(bool forward, TableMaker& tables);

  Index spacing_ = 1;        // of the chirp's rows that are stored
  Table<T> chirp_, steps_;   // [stored row][n2], [b - 1][n2]
  Table<T> rotations_[2];    // for the ways there and back, [row][2]
  Index response_rows_ = 1;  // rows of the response
  Table<T> response_;        // [response_rows_][n2]
};

/// The rows that hold the convolution's points, n1 x n2; {} where there are none that passes can do.
template <class T>
TwoFactors factor_long_convolution(Index n, LineKind line_kind, Kernels const& kernels);

}  // namespace skipper::cpu
