// Symmetric prime DFTs for primes above 13, as in kernel/codelets/prime.h, but with the radix known at run time and cosines and
// sines in a table, since code for each radix would fill the instruction cache. With h = (R-1)/2,
//   X_k, X_R-k = C_k -+ i S_k,  C_k = v_0 + sum_j cos(2 pi j k / R) (v_j + v_R-j),  S_k = sum_j sin(..) (v_j - v_R-j).
#pragma once

#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// The inputs of a butterfly: v_0, and h sums and differences.
template <class V>
struct EvenOddParts {
  Complex<V> first;
  Complex<V> sum[max_symmetric_prime / 2], difference[max_symmetric_prime / 2];
};

/// acc[i] += sum over j of weights[j][i] x[j]: four rows at once, so that each x[j] is loaded once for four.
template <class V>
[[gnu::always_inline]] inline void accumulate(Complex<V> const* x, typename V::Element const* weights,
                                              Index h, Complex<V> (&acc)[4]) {
  for (Index j = 0; j < h; ++j) {
    Complex<V> const v = x[j];
    RowOfTwiddles<3, V> const row(weights + 4 * j);  // four scalars
    each<4>([&](auto i) __attribute__((always_inline)) {
      V const w = row.template part<i>();
      acc[i] = Complex<V>{acc[i].re + w * v.re, acc[i].im + w * v.im};
    });
  }
}

/// Calls put(k, X_k) for every output. Weights are [block of four k][cosines, then sines][j][4]; the last block may hold
/// some k beyond h, which are left out.
template <class V, class Put>
[[gnu::always_inline]] inline void symmetric_butterfly(EvenOddParts<V> const& v, Index radix,
                                                       typename V::Element const* weights, Put put) {
  Index const h = radix / 2;
  Complex<V> all = v.first;
  for (Index j = 0; j < h; ++j) all = all + v.sum[j];
  put(Index(0), all);
  for (Index k = 1; k <= h; k += 4, weights += 8 * h) {
    V const zero = broadcast<V>(0);
    Complex<V> c[4], s[4];
    unrolled<4>([&](int i) __attribute__((always_inline)) { c[i] = v.first, s[i] = Complex<V>{zero, zero}; });
    accumulate(v.sum, weights, h, c);
    accumulate(v.difference, weights + 4 * h, h, s);
    unrolled<4>([&](int i) __attribute__((always_inline)) {
      if (k + i > h) return;
      Complex<V> const rotated = kernel::times_i(s[i]);
      put(k + i, c[i] - rotated);
      put(radix - k - i, c[i] + rotated);
    });
  }
}

template <class From, class V>
[[gnu::always_inline]] inline void take_parts(EvenOddParts<V>& v, typename V::Element const* x,
                                              PassArgs const& a) {
  typename V::Element const* const rest = x + a.in_first;
  v.first = From::template get<V>(x, a.in_imag);
  for (Index j = 1; j <= a.radix / 2; ++j) {
    Complex<V> const low = From::template get<V>(rest + j * a.in_step, a.in_imag);
    Complex<V> const high = From::template get<V>(rest + (a.radix - j) * a.in_step, a.in_imag);
    v.sum[j - 1] = low + high;
    v.difference[j - 1] = low - high;
  }
}

/// As pass<R, V, From, To> in passes.h.
template <class V, class From, class To>
[[gnu::flatten]] void symmetric_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr bool user_in = std::is_same_v<From, Interleaved>, user_out = std::is_same_v<To, Interleaved>;
  constexpr bool only = user_in && user_out, twiddled = !user_out, scaled = user_in;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  EvenOddParts<V> v;
  for (Index line = 0; line < a.lines; ++line)
    for (Index row = 0; row < a.rows; ++row) {
      T const* const from = static_cast<T const*>(in) + line * a.in_line + row * a.in_row;
      T* const to = static_cast<T*>(out) + line * a.out_line + row * a.out_row;
      T const* const w = static_cast<T const*>(a.twiddles) + 2 * row * (a.radix - 1) - 2;
      for (Index next = 0; next < a.columns; next += V::lanes) {
        Index const q = next + V::lanes <= a.columns ? next : a.columns - V::lanes;
        T* const y = to + q * To::width;
        take_parts<From>(v, from + q * From::width, a);
        symmetric_butterfly(v, a.radix, static_cast<T const*>(a.weights), [&](Index k, Complex<V> x) {
          if constexpr (only) {
            x = Complex<V>{x.re * scale, x.im * scale};
          } else if constexpr (twiddled) {
            if (k > 0)
              x = x * Complex<V>{broadcast<V>(w[2 * k]), broadcast<V>(w[2 * k + 1])};
            else if (scaled)
              x = Complex<V>{x.re * scale, x.im * scale};
          }
          To::template put<V>(y + k * a.out_step, a.out_imag, x);
        });
      }
    }
}

/// As first_line_pass in passes.h; the lanes never divide the radix, so the buffer is planar.
template <class V>
[[gnu::flatten]] void symmetric_first_line_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  EvenOddParts<V> v;
  V re[max_symmetric_prime], im[max_symmetric_prime];
  for (Index line = 0; line < a.lines; ++line) {
    T const* const from = static_cast<T const*>(in) + line * a.in_line;
    T* const to = static_cast<T*>(out) + line * a.out_line;
    T const* w = static_cast<T const*>(a.twiddles);
    for (Index next = 0; next < a.rows; next += W, w += 2 * W * (a.radix - 1)) {
      Index const p = next + W <= a.rows ? next : a.rows - W;
      take_parts<Interleaved>(v, from + 2 * p, a);
      symmetric_butterfly(v, a.radix, static_cast<T const*>(a.weights), [&](Index k, Complex<V> x) {
        if (k > 0)
          x = x * Complex<V>{load<V>(w + 2 * W * (k - 1)), load<V>(w + 2 * W * (k - 1) + W)};
        else
          x = Complex<V>{x.re * scale, x.im * scale};
        re[k] = x.re, im[k] = x.im;
      });
      for (Index block = 0; block < a.radix; block += W) {
        Index const k = block + W <= a.radix ? block : a.radix - W;
        for (int part = 0; part < 2; ++part) {
          V rows[W];
          unrolled<W>([&](int i) { rows[i] = (part ? im : re)[k + i]; });
          transpose(rows);
          T* const y = to + part * a.out_imag + p * a.radix + k;
          unrolled<W>([&](int i) { store(y + i * a.radix, rows[i]); });
        }
      }
    }
  }
}

/// x_j + x_R-j and x_j - x_R-j of a line, planar; entries beyond h are zero up to the next vector.
template <class T>
struct LineSums {
  static constexpr Index max_half = max_symmetric_line / 2 + 16;
  T sum_re[max_half], sum_im[max_half], difference_re[max_half], difference_im[max_half];
};

template <class V>
[[gnu::always_inline]] inline void take_line_parts(LineSums<typename V::Element>& f,
                                                   typename V::Element const* x, Index step, Index radix) {
  Index const h = radix / 2;
  for (Index j = 1; j <= h; ++j) {
    auto const *low = x + j * step, *high = x + (radix - j) * step;
    f.sum_re[j - 1] = low[0] + high[0], f.sum_im[j - 1] = low[1] + high[1];
    f.difference_re[j - 1] = low[0] - high[0], f.difference_im[j - 1] = low[1] - high[1];
  }
  for (Index j = h; j < h + V::lanes; ++j)
    f.sum_re[j] = f.sum_im[j] = f.difference_re[j] = f.difference_im[j] = 0;
}

/// Whole lines of R points, `in_step` apart when read, contiguous when written: lanes run along k, two vectors of them
/// at a time. Weights are [pair of vectors][j up to whole vectors][cosines, cosines, sines, sines]; vectors of k begin
/// at 1, 1 + W, .. and the last one where it ends with h, or at 1.
template <class V>
[[gnu::flatten]] void symmetric_line_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  Index const h = a.radix / 2, last = h > W ? h - W + 1 : 1, depth = (h + W - 1) / W * W;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  LineSums<T> f;
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(in) + line * a.in_line;
    T* const y = static_cast<T*>(out) + line * a.out_line;
    T const re = x[0], im = x[1];
    take_line_parts<V>(f, x, a.in_step, a.radix);
    T all_re = re, all_im = im;
    for (Index j = 0; j < h; ++j) all_re += f.sum_re[j], all_im += f.sum_im[j];
    T const* w = static_cast<T const*>(a.weights);
    for (Index k = 1; k <= h; k += 2 * W) {
      V const zero = broadcast<V>(0);
      Complex<V> c[2], s[2];
      unrolled<2>([&](int b) {
        c[b] = Complex<V>{broadcast<V>(re), broadcast<V>(im)}, s[b] = Complex<V>{zero, zero};
      });
      for (Index block = 0; block < depth; block += W) {
        V const sum_re = load<V>(f.sum_re + block), sum_im = load<V>(f.sum_im + block);
        V const difference_re = load<V>(f.difference_re + block),
                difference_im = load<V>(f.difference_im + block);
        each<W>([&](auto i) __attribute__((always_inline)) {
          unrolled<2>([&](int b) __attribute__((always_inline)) {
            V const cosine = load<V>(w + b * W), sine = load<V>(w + (2 + b) * W);
            c[b].re = c[b].re + cosine * shuffle<BroadcastLane<i>>(sum_re, sum_re);
            c[b].im = c[b].im + cosine * shuffle<BroadcastLane<i>>(sum_im, sum_im);
            s[b].re = s[b].re + sine * shuffle<BroadcastLane<i>>(difference_re, difference_re);
            s[b].im = s[b].im + sine * shuffle<BroadcastLane<i>>(difference_im, difference_im);
          });
          w += 4 * W;
        });
      }
      unrolled<2>([&](int b) {
        Index const first = k + b * W < last ? k + b * W : last;
        Complex<V> const rotated = kernel::times_i(s[b]), low = c[b] - rotated, high = c[b] + rotated;
        store_complex(y + 2 * first, Complex<V>{low.re * scale, low.im * scale});
        store_complex_reversed(y + 2 * (a.radix - first - W + 1),
                               Complex<V>{high.re * scale, high.im * scale});
      });
    }
    y[0] = all_re * static_cast<T>(a.scale), y[1] = all_im * static_cast<T>(a.scale);
  }
}

template <class V>
constexpr void add_symmetric_prime(PassTable& table) {
  table.symmetric_prime.first_line = symmetric_first_line_pass<V>;
  table.symmetric_prime.first = symmetric_pass<V, Interleaved, Planar>;
  table.symmetric_prime.inner = symmetric_pass<V, Planar, Planar>;
  table.symmetric_prime.last = symmetric_pass<V, Planar, Interleaved>;
  table.symmetric_prime.only = symmetric_pass<V, Interleaved, Interleaved>;
  table.symmetric_prime.line = symmetric_line_pass<V>;
  table.symmetric_prime.blocked_first = symmetric_pass<V, Interleaved, Blocked>;
  table.symmetric_prime.blocked_inner = symmetric_pass<V, Blocked, Blocked>;
  table.symmetric_prime.blocked_last = symmetric_pass<V, Blocked, Interleaved>;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
