// What the three sweeps of a long convolution (long_convolution.cpp) share: the rule that makes a line of n points a
// convolution of m = n1 n2 points, and how its two ends are read and written.
//   Bluestein (bluestein.cpp): point j times the chirp c_j, zeros beyond, result k times c_k.
//   Rader (rader.cpp), where m = n - 1: point j is x at g^j, result k is X at g^-k; x_0 and X_0 go their own way.
#pragma once

#include <vector>

#include "cpu/long_line.h"

namespace skipper::cpu {

template <class T>
struct LongTables {
  Index n = 1, m = 1, n1 = 1, n2 = 1;
  Ends ends = Ends::complex;
  double scale = 1;
  Index points = 1, results = 1;  // read and written; a spectrum of reals is half there
  std::vector<T> chirp;           // interleaved as all tables here; empty by Rader's rule
  std::vector<Index> powers;      // g^j; empty by Bluestein's rule
  std::vector<T> response;        // [n1][n2], with the scale and 1/m, its spectrum in the order of the sweeps
  Index held =
      0;  // so many of the n1 rows stand in the array that the line goes to, the others in Array::line

  /// `apart`: the arrays that the line comes from and goes to are two.
  LongTables(StepSpec const& spec, bool apart, Kernels const& kernels);

  bool by_powers() const { return !powers.empty(); }
  /// Scalars of Array::line. By Rader's rule x_0 and X_0 stand behind the rows.
  Index line() const { return 2 * (n1 - held) * n2 + (by_powers() ? 4 : 0); }
  T* row(Index k1, T* out, T* rest) const {
    return k1 < held ? out + 2 * k1 * n2 : rest + 2 * (k1 - held) * n2;
  }
  T* aside(T* rest) const { return rest + 2 * (n1 - held) * n2; }
  Index power(Index j) const { return powers[j]; }                      // g^j
  Index inverse_power(Index k) const { return powers[k ? m - k : 0]; }  // g^-k

 private:
  void fill_chirp(bool forward);
  void fill_powers(bool forward);
};

/// The rows that hold the convolution's points, n1 x n2; {} where there are none that passes can do.
template <class T>
LongLine cut_long_convolution(Index n, Ends ends, Kernels const& kernels);

}  // namespace skipper::cpu
