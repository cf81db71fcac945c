#pragma once
// A digit transformed as the product with its whole matrix, where its lines wait in shared memory: small transforms as Mitra
// and Srinivasan do them, on tensor cores. With the sums s_j = v_j + v_{n-j} and the differences d_j = v_j - v_{n-j},
//   X_k, X_{n-k} = C_k -+ i S_k,  C_k = sum_j cos(2 pi j k / n) s_j,  S_k = sum_j sin(2 pi j k / n) d_j,
// over j, k = 0 .. n/2 (v_0 alone, and v_{n/2} where n is even): two real matrices of a quarter of the size, each times the
// real and the imaginary parts of eight lines at once, in double precision whatever the lines are in.
//
// A warp holds columns of lines: lane 4 l + t has elements 4 i + t of line l, and gets results k = l + 8 h of lines 2 t + e.
#include "kernel/complex.h"
#include "kernel/known.h"
#include "kernel/memory.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

/// What bounds a count: itself where it is known to the compiler.
template <auto N>
constexpr int at_most(Const<N>, int) {
  return int(N);
}
constexpr int at_most(int, int most) { return most; }

/// Where the first element of a line stands in the exchange into step s.
template <class Block, class Spec, class S>
Int<Block> place_of_line(Spec spec, S s, Int<Block> number) {
  Int<Block> place = get<exchange_base>(spec, s);
  auto const& shares = aggregate<line_terms>(spec, s);
  repeat(get<line_term_count>(spec, s), [&](int p) {
    place += Int<Block>(Unsigned<Block>(number) / shares.span[p] % shares.extent[p]) * int(shares.weight[p]);
  });
  return place;
}

template <class T, class Spec, class Block>
struct MatrixDftLines {
  Spec spec;
  Block& block;
  Args<T> const& args;

  static constexpr int warp = 32, together = 8;  // lanes, lines of a warp

  /// Multiplies all lines that the exchange into step s has put, in their places. Each warp has lines of its own.
  template <class S>
  void multiply(S s) const {
    Int<Block> const lane = block.thread() % warp, begin = together * (block.thread() / warp);
    int const lines = get<direct_dft_lines>(spec, s), warps = get<block_threads>(spec) / warp;
    block.loop(begin, lines, together * warps, [&](Int<Block> first) {
      Int<Block> const own = first + lane / 4;  // past the end the last one again, which is not stored
      auto const sums = gathered(s, select(own < lines, own, Int<Block>(lines - 1)), lane % 4);
      block.sync_warp();
      block.in_rounds(get<matrix_row_blocks>(spec, s),
                      [&](Int<Block> rows) { scatter(s, sums, rows, first, lane); });
    });
  }

 private:
  /// Blocks of four elements, and for each those of this lane.
  template <int K>
  struct Parts {
    Double<Block> sum_re[K], sum_im[K], difference_re[K], difference_im[K];
  };
  template <class S>
  using PartsOf = Parts<at_most(decltype(get<matrix_dft_blocks>(Spec{}, S{})){}, max_matrix_dft_blocks)>;

  template <class S>
  auto gathered(S s, Int<Block> number, Int<Block> t) const {
    PartsOf<S> parts;
    int const n = get<direct_dft_length>(spec, s), pitch = get<direct_dft_pitch>(spec, s);
    auto const place = place_of_line<Block>(spec, s, number);
    repeat(get<matrix_dft_blocks>(spec, s), [&](int i) {
      Int<Block> const none = 0, at = 4 * i + t,
                       j = select(at <= n / 2, at, none),  // beyond, the matrix is zero
          opposite = n - j;
      Bool<Block> const alone = j == 0 || 2 * j == n;
      auto const x = block.template take<T>(place + j * pitch),
                 y = block.template take<T>(place + select(j == 0, none, opposite) * pitch);
      Double<Block> const x_re(x.re), x_im(x.im), y_re(y.re), y_im(y.im);
      parts.sum_re[i] = select(alone, x_re, Double<Block>(x_re + y_re));
      parts.sum_im[i] = select(alone, x_im, Double<Block>(x_im + y_im));
      parts.difference_re[i] = x_re - y_re;
      parts.difference_im[i] = x_im - y_im;
    });
    return parts;
  }

  /// Sixteen results k and as many n - k of eight lines.
  template <class S, class P>
  void scatter(S s, P const& parts, Int<Block> rows, Int<Block> first, Int<Block> lane) const {
    Double<Block> c_re[4] = {0, 0, 0, 0}, c_im[4] = {0, 0, 0, 0}, s_re[4] = {0, 0, 0, 0},
                  s_im[4] = {0, 0, 0, 0};
    auto const blocks = get<matrix_dft_blocks>(spec, s);
    auto const entries = array_of<Complex<double>>(args.roots) + get<matrix_dft_table>(spec, s) +
                         Offset<Block>(rows) * blocks * 2 * warp + lane;
    // Rows g and g + 8 of a column come as one pair, the one of cosines before the one of sines.
    auto const add = [&](auto k, int i) {
      Double<Block> entry[2 * k];
      auto const fetch = [&](int function) {
        repeat(k, [&](int e) {
          auto const pair = block.root(entries, Wide(2 * (i + e) + function) * warp);
          entry[2 * e] = pair.re, entry[2 * e + 1] = pair.im;
        });
      };
      fetch(0);
      block.template multiply_add<k>(c_re, entry, parts.sum_re + i);
      block.template multiply_add<k>(c_im, entry, parts.sum_im + i);
      fetch(1);
      block.template multiply_add<k>(s_re, entry, parts.difference_re + i);
      block.template multiply_add<k>(s_im, entry, parts.difference_im + i);
    };
    repeat(get<matrix_dft_fours>(spec, s), [&](int i) { add(Const<4>{}, 4 * i); });
    repeat(get<matrix_dft_ones>(spec, s),
           [&](int i) { add(Const<1>{}, 4 * get<matrix_dft_fours>(spec, s) + i); });
    int const n = get<direct_dft_length>(spec, s), pitch = get<direct_dft_pitch>(spec, s),
              lines = get<direct_dft_lines>(spec, s);
    repeat(Const<2>{}, [&](int e) {
      Int<Block> const number = first + 2 * (lane % 4) + e;
      auto const here = block.only(number < lines);
      if (!here) return;
      auto const place = place_of_line<Block>(spec, s, number);
      repeat(Const<2>{}, [&](int h) {
        Int<Block> const k = 16 * rows + 8 * h + lane / 4;
        int const q = 2 * h + e;
        auto const exists = block.only(2 * k <= n);
        if (!exists) return;
        block.put(place + k * pitch, Complex<T>{T(c_re[q] + s_im[q]), T(c_im[q] - s_re[q])});
        if (auto const has_opposite = block.only(k > 0 && 2 * k < n))
          block.put(place + (n - k) * pitch, Complex<T>{T(c_re[q] - s_im[q]), T(c_im[q] + s_re[q])});
      });
    });
  }
};

}  // namespace skipper::kernel
