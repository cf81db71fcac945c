#pragma once
// A digit transformed where its lines wait in shared memory, by two threads a line, each with one part of all outputs
// (codelets/symmetric_prime.h): a prime too long for the registers of one thread, in single precision. A warp has sixteen
// lines; its lanes 2 l and 2 l + 1 the real and the imaginary parts of line l. Of lines that are too long for the
// registers of these, one warp has the cosines and the next one the sines; both sums meet when the step after takes
// them.
#include "kernel/codelets/symmetric_prime.h"
#include "kernel/matrix_dft.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
struct SymmetricDftLines {
  Spec spec;
  Block& block;

  static constexpr int warp = 32, together = 16;  // lanes, lines of a warp

  /// Transforms all lines that the exchange into step s has put, in their places.
  template <class S>
  void multiply(S s) const {
    when(get<both_sums_per_warp>(spec, s), [&](auto...) { multiply_together(s); });
    when(get<one_sum_per_warp>(spec, s), [&](auto...) { multiply_apart(s); });
  }

  /// X_k of a line transformed apart, whose number k stands `here`: C_k +- S_k and C_k -+ S_k in its parts.
  template <class S>
  Complex<T> joined(S s, Int<Block> here, Int<Block> k) const {
    int const n = get<direct_dft_length>(spec, s);
    Int<Block> const none = 0, apart = (n - 2 * k) * get<direct_dft_pitch>(spec, s),
                     hop = select(k == 0, none, apart);
    T const sign = select(k == 0, T(0), select(2 * k < n, T(1), T(-1)));
    auto const own = block.template take<T>(here), other = block.template take<T>(here + hop);
    return {other.re + sign * own.re, own.im - sign * other.im};
  }

 private:
  /// Each warp has lines of its own.
  template <class S>
  void multiply_together(S s) const {
    int const lines = get<direct_dft_lines>(spec, s), warps = get<block_threads>(spec) / warp,
              pitch = 2 * get<direct_dft_pitch>(spec, s);
    Int<Block> const lane = block.thread() % warp, part = lane % 2,
                     begin = together * (block.thread() / warp);
    T const sign = select(part != 0, T(-1), T(1));
    block.loop(begin, lines, together * warps, [&](Int<Block> first) {
      Int<Block> const own = first + lane / 2;  // past the end the last one again, which is not stored
      Bool<Block> const exists = lines % together == 0 || own < lines;
      Int<Block> const place = 2 * place_of_line<Block>(spec, s, select(exists, own, Int<Block>(lines - 1)));
      auto const here = block.opaque(place + part), there = block.opaque(place + 1 - part);
      HalfLine<T, decltype(get<direct_dft_length>(spec, s))> line{get<direct_dft_length>(spec, s), {}};
      line.gather([&](int j) { return block.template take_real<T>(here + j * pitch); },
                  [&](int j) { return block.template take_real<T>(there + j * pitch); });
      block.sync_warp();
      line.scatter(sign, [&](int k, T x) {
        if (auto const stored = block.only(exists)) block.put_real(here + k * pitch, x);
      });
    });
  }

  /// There are as many warps as it takes, so that all is taken before any is put.
  template <class S>
  void multiply_apart(S s) const {
    auto const n = get<direct_dft_length>(spec, s);
    using N = decltype(get<direct_dft_length>(spec, s));
    int const lines = get<direct_dft_lines>(spec, s), pitch = 2 * get<direct_dft_pitch>(spec, s);
    Int<Block> const lane = block.thread() % warp, unit = block.thread() / warp, part = lane % 2,
                     own = together * (unit / 2) + lane / 2, other = 1 - part;
    Bool<Block> const sine = unit % 2 != 0;
    Int<Block> const place =
        2 * place_of_line<Block>(spec, s, select(own < lines, own, Int<Block>(lines - 1)));
    auto const here = block.opaque(place + part), there = block.opaque(place + select(sine, other, part));
    T const sign = select(sine, T(-1), T(1));
    HalfParts<T> x{};
    T first{};
    if (auto const takes = block.only(together * (unit / 2) < lines)) {
      auto const taken = [&](int j) { return block.template take_real<T>(there + j * pitch); };
      auto const& table = half_weights(n);
      auto const t = counted<part_of_half>(n);
      first = taken(0);
      repeat(counted<half_of>(n), [&](int b) {
        int const j = table.power[b];
        x[b / t][b % t] = taken(j) + sign * taken(n - j);
      });
    }
    block.sync();
    auto const exists = block.only(own < lines);
    if (!exists) return;
    auto const emit = [&](int k, T y) { block.put_real(here + k * pitch, y); };
    block.either(
        sine,
        [&] {
          HalfOfLine<T, N, true>{n, x}.scatter(first, emit);
        },
        [&] {
          HalfOfLine<T, N, false>{n, x}.scatter(first, emit);
        });
  }
};

}  // namespace skipper::kernel
