#pragma once
// Primes by two threads, one for the real and one for the imaginary parts of all outputs. With s_j = x_j + x_{p-j} of a
// thread's own parts and d_j = x_j - x_{p-j} of the others, its parts of X_k and X_{p-k} are C_k +- S_k (the signs
// exchanged for imaginary ones), C_k = x_0 + sum_j cos(2 pi j k / p) s_j and S_k = sum_j sin(2 pi j k / p) d_j. With j
// = g^b and k = g^a, b and a from 0 to h - 1 where 2h = p - 1, both sums are correlations over the powers of a
// generator (Rader), y_a = sum_b c(a + b) x_b, where c(v + h) = c(v) of cosines and -c(v) of sines. They are done in
// parts:
//   h = 3t        sums and differences over t: of nine products of t x t five are left (Winograd)
//   otherwise     halves: three products of four (Karatsuba), and of cosines with h even two
// All weights are constants, worked out by the compiler; on a host, where n is known when running, once.
#include "kernel/complex.h"
#include "kernel/constants.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int longest_half_prime = 127, max_half = longest_half_prime / 2;

constexpr bool in_thirds(int n) { return n / 2 % 3 == 0; }
constexpr bool in_pairs(int n) { return !in_thirds(n) && n / 2 % 2 == 0; }
/// Parts of a correlation, and what each has at most.
constexpr int parts_of_half(int n) { return in_thirds(n) ? 3 : 2; }
constexpr int part_of_half(int n) { return (n / 2 + parts_of_half(n) - 1) / parts_of_half(n); }

constexpr int half_of(int n) { return n / 2; }
constexpr int second_part(int n) {
  return n / 2 - part_of_half(n) < part_of_half(n) ? n / 2 - part_of_half(n) : part_of_half(n);
}

/// g^b for b = 0 .. h - 1, and the weights of each part at v = a + b: of cosines, then of sines.
struct HalfTable {
  int power[max_half] = {};
  double weight[2][4][max_half + 1] = {};
};

constexpr int rader_generator(int p) {
  for (int g = 2;; ++g) {
    int order = 1;
    for (int x = g; x != 1; x = x * g % p) ++order;
    if (order == p - 1) return g;
  }
}

constexpr HalfTable half_table(int p, Root const* roots) {
  HalfTable table;
  int power[5 * max_half + 8] = {1};
  int const g = rader_generator(p), h = p / 2, t = part_of_half(p);
  for (int v = 1; v < 5 * h + 8; ++v) power[v] = power[v - 1] * g % p;
  for (int b = 0; b < h; ++b) table.power[b] = power[b];
  for (int sine = 0; sine < 2; ++sine)
    for (int v = 0; v <= 2 * (t - 1); ++v) {
      auto const c = [&](int m) {
        Root const& r = roots[power[v + m * t]];
        return sine ? r.sin : r.cos;
      };
      auto& w = table.weight[sine];
      if (in_thirds(p)) {
        DoubleDouble const k0 = c(0), k1 = sine ? -c(1) : c(1), k2 = c(2);
        w[0][v] = ((k0 + k1 + k2) / wide(3)).high;
        w[1][v] = (k0 - k2).high;
        w[2][v] = (k1 - k0).high;
        w[3][v] = (k1 - k2).high;
      } else if (in_pairs(p) && !sine) {
        w[0][v] = ((c(0) + c(1)) / wide(2)).high;
        w[1][v] = ((c(0) - c(1)) / wide(2)).high;
      } else {
        w[0][v] = c(1).high;
        w[1][v] = (c(0) - c(1)).high;
        w[2][v] = (c(2) - c(1)).high;
      }
    }
  return table;
}

template <int P>
inline constexpr HalfTable half_constants = half_table(P, roots<P>.at);

template <auto P>
constexpr HalfTable const& half_weights(Const<P>) {
  return half_constants<P>;
}
template <class Number>  // only where n is known when running: a GPU has no such constants
HalfTable const& half_weights(Number p) {
  struct All {
    HalfTable of[longest_half_prime + 1];
    All() {
      for (int n = 17; n <= longest_half_prime; n += 2) {
        bool prime = true;
        for (int f = 3; f < n; f += 2) prime = prime && n % f != 0;
        if (!prime) continue;
        Root circle[longest_half_prime];
        for (int k = 0; k < n; ++k) circle[k] = root(k, n);
        of[n] = half_table(n, circle);
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
using HalfParts = T[3][max_half / 2 + 1];
template <class T, class N, bool Sine>
struct HalfSum {
  N n;
  HalfParts<T>& x;

  /// Makes of inputs what the products take.
  void prepare() {
    repeat(counted<part_of_half>(n), [&](int b) {
      bool const both = b < counted<second_part>(n);
      T const first = x[0][b], second = !both ? T(0) : x[1][b];
      if (counted<in_thirds>(n)) {
        T const signed_second = Sine ? -second : second, third = x[2][b];
        x[0][b] = first + signed_second + third;
        x[1][b] = first - third;
        x[2][b] = signed_second - third;
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

  /// Outputs a, a + t and, in thirds, a + 2t, with `start` added to each.
  void rows(int a, T start, T (&y)[3]) const {
    auto const t = counted<part_of_half>(n);
    if (counted<in_thirds>(n)) {
      T u = start, v = zero<T>(), w = zero<T>();
      repeat(t, [&](int b) {
        u = u + weight(0, a + b) * x[0][b];
        v = v + weight(1, a + b) * x[1][b];
        v = v + weight(2, a + b) * x[2][b];
        w = w + weight(3, a + b) * x[1][b];
        w = w - weight(1, a + b) * x[2][b];
      });
      T const third = u - static_cast<T>(1.0 / 3.0) * (v + w);
      y[0] = third + v;
      y[1] = Sine ? -(third + w) : third + w;
      y[2] = third;
    } else if (counted<in_pairs>(n) && !Sine) {
      T u = start, v = zero<T>();
      repeat(t, [&](int b) {
        u = u + weight(0, a + b) * x[0][b];
        v = v + weight(1, a + b) * x[1][b];
      });
      y[0] = u + v;
      y[1] = u - v;
    } else {
      T u = start, v = zero<T>(), w = zero<T>();
      repeat(t, [&](int b) {
        u = u + weight(0, a + b) * x[2][b];
        v = v + weight(1, a + b) * x[0][b];
        if (b < counted<second_part>(n)) w = w + weight(2, a + b) * x[1][b];
      });
      y[0] = u + v;
      y[1] = u + w;
    }
  }

 private:
  T weight(int part, int v) const { return static_cast<T>(half_weights(n).weight[Sine][part][v]); }
};

/// One part of all points of a line: `gather` has own(j) and other(j), then `scatter` calls emit(k, X_k) with the sign 1 for
/// real and -1 for imaginary parts.
template <class T, class N>
struct HalfLine {
  N n;
  T first;
  HalfParts<T> sums{}, differences{};

  template <class Own, class Other>
  void gather(Own own, Other other) {
    auto const& table = half_weights(n);
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
    auto const& table = half_weights(n);
    auto const t = counted<part_of_half>(n);
    emit(0, cosines.all(first));
    repeat(t, [&](int a) {
      T c[3], s[3];
      cosines.rows(a, first, c);
      sines.rows(a, T(0), s);
      repeat(counted<parts_of_half>(n), [&](int part) {
        if (a + part * t >= counted<half_of>(n)) return;
        int const k = table.power[a + part * t];
        emit(k, c[part] + sign * s[part]);
        emit(n - k, c[part] - sign * s[part]);
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
    auto const& table = half_weights(n);
    auto const t = counted<part_of_half>(n);
    if (!Sine) emit(0, sum.all(first));
    repeat(t, [&](int a) {
      T y[3];
      sum.rows(a, Sine ? T(0) : first, y);
      repeat(counted<parts_of_half>(n), [&](int part) {
        if (a + part * t >= counted<half_of>(n)) return;
        int const k = table.power[a + part * t];
        bool const near = 2 * k < n;
        if (Sine)
          emit(near ? n - k : k, near ? y[part] : -y[part]);
        else
          emit(near ? k : n - k, y[part]);
      });
    });
  }
};

}  // namespace skipper::kernel
