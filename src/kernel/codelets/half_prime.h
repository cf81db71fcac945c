#pragma once
// Primes by two threads, one for the real and one for the imaginary parts of all outputs. With s_j = x_j + x_{p-j} of a
// thread's own parts and d_j = x_j - x_{p-j} of the others, its parts of X_k and X_{p-k} are C_k +- S_k (the signs
// exchanged for imaginary ones), C_k = x_0 + sum_j cos(2 pi j k / p) s_j and S_k = sum_j sin(2 pi j k / p) d_j. With j
// = g^b and k = g^a, b and a from 0 to h - 1 where 2h = p - 1, both sums are correlations over the powers of a
// generator (Rader), y_a = sum_b c(a + b) x_b, where c(v + h) = c(v) of cosines and -c(v) of sines. They are done in
// parts:
//   h = 3t        sums and differences over t: of nine products of t x t five are left (Winograd)
//   otherwise     halves: three products of four (Karatsuba), and of cosines with h even two
// All weights are constants, worked out by the compiler; on a host, where n is known when running, once. Short primes are
// straight code. Of long ones that is 60 KB and more, which warps that are each somewhere else in it wait for (Nsight: 31 %
// of the time of 83 points); these are a loop over a few rows of products at a time, whose weights come from memory.
#include "kernel/constants.h"
#include "kernel/halving.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

/// g^b for b = 0 .. h - 1, and the weights of each part at v = a + b: of cosines, then of sines.
template <class T>
struct HalfTable {
  int power[most_half + most_rows] = {};
  alignas(16) T weight[2][most_half + 1][4] = {};
};

constexpr int power_generator(int p) {
  for (int g = 2;; ++g) {
    int order = 1;
    for (int x = g; x != 1; x = x * g % p) ++order;
    if (order == p - 1) return g;
  }
}

template <class T>
constexpr HalfTable<T> half_table(int p, Root const* roots) {
  HalfTable<T> table;
  int power[5 * most_half + 8] = {1};
  int const g = power_generator(p), h = p / 2, t = part_of_half(p);
  for (int v = 1; v < 5 * h + 8; ++v) power[v] = power[v - 1] * g % p;
  for (int b = 0; b < h; ++b) table.power[b] = power[b];
  for (int sine = 0; sine < 2; ++sine)
    for (int v = 0; v <= 2 * (t - 1); ++v) {
      auto const c = [&](int m) {
        Root const& r = roots[power[v + m * t]];
        return sine ? r.sin : r.cos;
      };
      auto& w = table.weight[sine][v];
      if (in_thirds(p)) {
        Paired const k0 = c(0), k1 = sine ? -c(1) : c(1), k2 = c(2);
        w[0] = T(((k0 + k1 + k2) / wide(3)).hi);
        w[1] = T((k0 - k2).hi);
        w[2] = T((k1 - k0).hi);
        w[3] = T((k1 - k2).hi);
      } else if (in_pairs(p) && !sine) {
        w[0] = T(((c(0) + c(1)) / wide(2)).hi);
        w[1] = T(((c(0) - c(1)) / wide(2)).hi);
      } else {
        w[0] = T(c(1).hi);
        w[1] = T((c(0) - c(1)).hi);
        w[2] = T((c(2) - c(1)).hi);
      }
    }
  return table;
}

template <class T, int P>
inline constexpr HalfTable<T> half_constants = half_table<T>(P, roots<P>.at);

template <class T, auto P>
constexpr HalfTable<T> const& half_weights(Const<P>) {
  return half_constants<T, P>;
}
template <class T, class Number>  // only where n is known when running: a GPU has no such constants
HalfTable<T> const& half_weights(Number p) {
  struct All {
    HalfTable<T> of[longest_half_prime + 1];
    All() {
      for (int n = 17; n <= longest_half_prime; n += 2) {
        bool prime = true;
        for (int f = 3; f < n; f += 2) prime = prime && n % f != 0;
        if (!prime) continue;
        Root circle[longest_half_prime];
        for (int k = 0; k < n; ++k) circle[k] = root(k, n);
        of[n] = half_table<T>(n, circle);
      }
    }
  };
  static All const all;
  return all.of[p];
}

/// A count that depends on n: a type where n is one.
template <auto F, auto P>
constexpr auto counted(Const<P>) {
  return Const<F(P)>{};
}
template <auto F>
constexpr int counted(int n) {
  return F(n);
}

/// One of the two correlations. Inputs come in parts of t: x[b / t][b % t].
template <class T>
using HalfParts = T[3][most_half / 2 + 1];
template <class T, class N, bool Sine>
struct HalfSum {
  N n;
  HalfParts<T>& x;

  /// Turns inputs into what the products take.
  void prepare() {
    repeat(counted<part_of_half>(n), [&](int b) {
      bool const both = b < counted<second_part>(n);
      T const first = x[0][b], second = !both ? T(0) : x[1][b];
      if (counted<in_thirds>(n)) {
        T const turned = Sine ? -second : second, third = x[2][b];
        x[0][b] = first + turned + third;
        x[1][b] = first - third;
        x[2][b] = turned - third;
      } else if (counted<in_pairs>(n) && !Sine) {
        x[0][b] = first + second;
        x[1][b] = first - second;
      } else {
        x[2][b] = both ? first + second : first;
      }
    });
  }

  /// `start` and all inputs, of cosines.
  T all(T start) const {
    int const part = counted<in_thirds>(n) || counted<in_pairs>(n) ? 0 : 2;
    repeat(counted<part_of_half>(n), [&](int b) { start = start + x[part][b]; });
    return start;
  }

  /// Of rows a = first .. outputs a, a + t and, in thirds, a + 2t, with `start` added to each.
  void rows(int first, T start, T (&y)[most_rows][3]) const {
    auto const t = counted<part_of_half>(n);
    auto const many = counted<rows_at_once>(n);
    T u[most_rows], v[most_rows], w[most_rows];
    repeat(many, [&](int r) { u[r] = start, v[r] = w[r] = T{}; });
    repeat(counted<diagonals>(n), [&](int d) {
      auto const& k = half_weights<T>(n).weight[Sine][first + d];
      repeat(many, [&](int r) {
        int const b = d - r;
        if (b >= 0 && b < t) add_products(k, b, u[r], v[r], w[r]);
      });
    });
    repeat(many, [&](int r) {
      if (counted<in_thirds>(n)) {
        T const third = u[r] - static_cast<T>(1.0 / 3.0) * (v[r] + w[r]);
        y[r][0] = third + v[r];
        y[r][1] = Sine ? -(third + w[r]) : third + w[r];
        y[r][2] = third;
      } else if (counted<in_pairs>(n) && !Sine) {
        y[r][0] = u[r] + v[r];
        y[r][1] = u[r] - v[r];
      } else {
        y[r][0] = u[r] + v[r];
        y[r][1] = u[r] + w[r];
      }
    });
  }

 private:
  /// Of input b into the three sums of a row.
  void add_products(T const (&k)[4], int b, T& u, T& v, T& w) const {
    if (counted<in_thirds>(n)) {
      u = u + k[0] * x[0][b];
      v = v + k[1] * x[1][b];
      v = v + k[2] * x[2][b];
      w = w + k[3] * x[1][b];
      w = w - k[1] * x[2][b];
    } else if (counted<in_pairs>(n) && !Sine) {
      u = u + k[0] * x[0][b];
      v = v + k[1] * x[1][b];
    } else {
      u = u + k[0] * x[2][b];
      v = v + k[1] * x[0][b];
      if (b < counted<second_part>(n)) w = w + k[2] * x[1][b];
    }
  }
};

/// f(first row) for all rows of products: straight code, or a loop.
template <class N, class F>
void each_rows(N n, F f) {
  auto const rounds = counted<rounds_of_rows>(n);
  auto const many = counted<rows_at_once>(n);
  if (counted<in_straight_code>(n))
    repeat(rounds, [&](int i) { f(i * many); });
  else
    in_rounds(rounds, [&](int i) { f(i * many); });
}

/// One part of all points of a line: `gather` has own(j) and other(j), then `scatter` calls emit(k, X_k) with the sign 1 for
/// real and -1 for imaginary parts.
template <class T, class N>
struct HalfLine {
  N n;
  T first;
  HalfParts<T> sums{}, differences{};

  template <class Own, class Other>
  void gather(Own own, Other other) {
    auto const& table = half_weights<T>(n);
    auto const t = counted<part_of_half>(n);
    first = own(0);
    repeat(counted<half_of>(n), [&](int b) {
      int const j = table.power[b];
      sums[b / t][b % t] = own(j) + own(n - j);
      differences[b / t][b % t] = other(j) - other(n - j);
    });
    HalfSum<T, N, false>{n, sums}.prepare();
    HalfSum<T, N, true>{n, differences}.prepare();
  }

  template <class Emit>
  void scatter(T sign, Emit emit) {
    HalfSum<T, N, false> const cosines{n, sums};
    HalfSum<T, N, true> const sines{n, differences};
    auto const& table = half_weights<T>(n);
    auto const t = counted<part_of_half>(n);
    emit(0, cosines.all(first));
    each_rows(n, [&](int a) {
      T c[most_rows][3], s[most_rows][3];
      cosines.rows(a, first, c);
      sines.rows(a, T(0), s);
      repeat(counted<rows_at_once>(n), [&](int r) {
        repeat(counted<parts_of_half>(n), [&](int part) {
          if (a + r >= t || a + r + part * t >= counted<half_of>(n)) return;
          int const k = table.power[a + r + part * t];
          emit(k, c[r][part] + sign * s[r][part]);
          emit(n - k, c[r][part] - sign * s[r][part]);
        });
      });
    });
  }
};

/// One of the two sums of one part of a line: emit(k, C_k) for k = 0 .. h, with X_0 for C_0, or emit(p - k, S_k) for k
/// = 1 .. h.
template <class T, class N, bool Sine>
struct HalfOfLine {
  N n;
  HalfParts<T>& x;

  template <class Emit>
  void scatter(T first, Emit emit) {
    HalfSum<T, N, Sine> sum{n, x};
    sum.prepare();
    auto const& table = half_weights<T>(n);
    auto const t = counted<part_of_half>(n);
    if (!Sine) emit(0, sum.all(first));
    each_rows(n, [&](int a) {
      T y[most_rows][3];
      sum.rows(a, Sine ? T(0) : first, y);
      repeat(counted<rows_at_once>(n), [&](int r) {
        repeat(counted<parts_of_half>(n), [&](int part) {
          if (a + r >= t || a + r + part * t >= counted<half_of>(n)) return;
          int const k = table.power[a + r + part * t];
          bool const near = 2 * k < n;
          if (Sine)
            emit(near ? n - k : k, near ? y[r][part] : -y[r][part]);
          else
            emit(near ? k : n - k, y[r][part]);
        });
      });
    });
  }
};

}  // namespace skipper::kernel
