#pragma once
// A digit transformed where its lines wait in shared memory, by two threads a line, each with one part of all outputs
// (codelets/half_prime.h): a prime too long for the registers of one thread, in single precision.
// A warp has sixteen lines; its lanes 2 l and 2 l + 1 the real and the imaginary parts of line l.
#include "kernel/codelets/half_prime.h"
#include "kernel/dense.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
struct HalfLines {
  Spec spec;
  Block& block;

  static constexpr int warp = 32, together = 16;  // lanes, lines of a warp

  /// Transforms all lines that the exchange into step s has put, in their places. Each warp has lines of its own.
  template <class S>
  void multiply(S s) const {
    int const lane = block.thread() % warp, lines = get<dense_lines>(spec, s), part = lane % 2;
    int const warps = get<block_threads>(spec) / warp, pitch = 2 * get<dense_pitch>(spec, s);
    T const sign = part ? T(-1) : T(1);
    for (int first = together * (block.thread() / warp); first < lines; first += together * warps) {
      int const own = first + lane / 2;  // past the end, the last one again, which nobody stores
      int const place = 2 * place_of_line(spec, s, own < lines ? own : lines - 1);
      HalfLine<T, decltype(get<dense_length>(spec, s))> line{get<dense_length>(spec, s), {}};
      line.gather([&](int j) { return block.template take_part<T>(place + part + j * pitch); },
                  [&](int j) { return block.template take_part<T>(place + 1 - part + j * pitch); });
      block.sync_warp();
      line.scatter(sign, [&](int k, T x) {
        if (own < lines) block.put_part(place + part + k * pitch, x);
      });
    }
  }
};

}  // namespace skipper::kernel
