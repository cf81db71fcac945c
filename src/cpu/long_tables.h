// What the three sweeps of a long convolution (long_convolution.cpp) share: the rule that makes a line of n points a
// convolution of m = n1 n2 points, and how its two ends are read and written.
//   Bluestein (bluestein.cpp): point j times the chirp c_j, zeros beyond, result k times c_k.
//   Rader (rader.cpp), where m = n - 1: point j is x at g^j, result k is X at g^-k; x_0 and X_0 go their own way.
// The tables are about as long as the line, so what follows from other entries is not stored:
//   Of the chirp one row of n2 in eight stands here. With a = 8 i n2 + j2, c_(a + b n2) = c_a w_n^(b n2 j2) c', c' being
//   the same all over a row.
//   The response mirrors itself. Bluestein's, with as many points as results: R_(m-k) = R_k. Rader's, since g^(m/2) = -1:
//   R_(m-k) = conj R_k for even k and -conj R_k for odd ones. Row k1 is then row n1 - k1 backwards, and half of them do.
#pragma once

#include <vector>

#include "cpu/convolution.h"
#include "cpu/long_line.h"

namespace skipper::cpu {

template <class T>
struct LongTables {
  Index n = 1, m = 1, n1 = 1, n2 = 1;
  Ends ends = Ends::complex;
  double scale = 1;
  Index points = 1, results = 1;  // read and written; a spectrum of reals is half there
  bool by_powers = false;         // by Rader's rule
  Powers powers;
  Index held =
      0;  // so many of the n1 rows stand in the array that the line goes to, the others in Array::line

  /// `apart`: the arrays that the line comes from and goes to are two.
  LongTables(StepSpec const& spec, bool apart, TableMaker& tables);

  /// Scalars of Array::line. By Rader's rule x_0 and X_0 stand behind the rows.
  Index line() const { return 2 * (n1 - held) * n2 + (by_powers ? 4 : 0); }
  T* row(Index k1, T* out, T* rest) const {
    return k1 < held ? out + 2 * k1 * n2 : rest + 2 * (k1 - held) * n2;
  }
  T* aside(T* rest) const { return rest + 2 * (n1 - held) * n2; }

  /// c_j and so on, `count` of them within a row of n2; `room` holds as many.
  T const* chirp(Index j, Index count, T* room, Kernels const& kernels) const;
  /// Row k1 of the response with the scale and 1/m, its spectrum in the order of the sweeps; `room` holds a row.
  T const* response(Index k1, T* room) const;

 private:
  static constexpr Index spacing = 8;  // of the chirp's rows that are stored
  void make_chirp(bool forward, TableMaker& tables);
  void make_powers(bool forward, TableMaker& tables);

  Table<T> chirp_, steps_, turns_;  // [stored row][n2], [b - 1][n2], [row]
  Index kept_ = 1;                  // rows of the response
  Table<T> response_;               // [kept_][n2]
};

/// The rows that hold the convolution's points, n1 x n2; {} where there are none that passes can do.
template <class T>
LongLine cut_long_convolution(Index n, Ends ends, Kernels const& kernels);

}  // namespace skipper::cpu
