#pragma once
// Lines of a prime number p of points, convolved by Rader's algorithm (1968; spec.h) where they wait in shared memory. p - 1 is a
// product of coprime radices, so there are no twiddles, and point g^e of a line stands where the digits of e modulo each radix
// say (base/convolution_tables.h). A radix goes over all lines of the block at once: its butterflies have numbers, thread t
// does numbers t, t + threads and so on, and each goes back where it came from. So all threads have about as many whatever
// the radices are, and the registers of a thread hold no more than its butterfly.
//
// Radix 0 is the slowest digit of a place, where the product is; the last one is the fastest. Of that one a thread has
// one butterfly at most, since it finds the line in the order of memory and leaves it so: all threads load before any stores.
#include "kernel/codelets.h"
#include "kernel/known.h"
#include "kernel/memory.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
struct SharedRaderLines {
  Spec spec;
  Block& block;
  Args<T> const& args;

  /// Convolves all lines of the tile, which are in shared memory.
  void convolve() const {
    auto const last = get<last_rader_radix>(spec);
    reorder(last, true);
    each(get<inner_rader_radices>(spec), [&](auto i) { go_through(get<radix_there>(spec, i)); });
    multiply();
    each(get<inner_rader_radices>(spec), [&](auto i) { go_through(get<radix_back>(spec, i)); });
    reorder(last, false);
  }

 private:
  /// Where a butterfly is: its line, its number there, and the place of its first element.
  struct Position {
    Int<Block> line = 0, number = 0, place = 0;
    Bool<Block> exists = false;
  };
  template <class I>
  Position position(I i, Int<Block> butterfly) const {
    unsigned const lines = get<rader_lines>(spec), here = get<rader_butterflies>(spec, i),
                   stride = get<rader_stride>(spec, i), radix = get<rader_radix>(spec, i);
    auto const n = Unsigned<Block>(butterfly);
    Unsigned<Block> const line = get<lines_first>(spec, i) ? n % lines : n / here,
                          number = get<lines_first>(spec, i) ? n / lines : n % here,
                          above = stride == here ? Unsigned<Block>(0) : number / stride;
    return {Int<Block>(line), Int<Block>(number),
            Int<Block>(line * unsigned(get<rader_pitch>(spec)) + 1 + number + above * stride * (radix - 1)),
            n < lines * here};
  }

  /// The butterflies that a thread has in registers at once.
  struct Held {
    Position position[max_registers];
    Complex<T> v[max_registers];
  };

  template <class I>
  void take(I i, Int<Block> butterfly, Held& held) const {
    auto const r = get<rader_radix>(spec, i);
    repeat(get<rader_butterflies_at_once>(spec, i), [&](int b) {
      Position const at = held.position[b] = position(i, butterfly + b * get<block_threads>(spec));
      if (auto const here = block.only(at.exists))
        repeat(r, [&](int k) {
          held.v[b * r + k] = block.template take<T>(at.place + k * get<rader_stride>(spec, i));
        });
    });
  }
  template <class I>
  void put(I i, Held const& held) const {
    auto const r = get<rader_radix>(spec, i);
    repeat(get<rader_butterflies_at_once>(spec, i), [&](int b) {
      Position const at = held.position[b];
      if (auto const here = block.only(at.exists))
        repeat(r, [&](int k) { block.put(at.place + k * get<rader_stride>(spec, i), held.v[b * r + k]); });
    });
  }
  template <class R>
  static void transform_one(R radix, Complex<T>* v) {
    with_radix(radix, [&](auto r) {
      Complex<T> u[decltype(r)::value];
      repeat(r, [&](int k) { u[k] = v[k]; });
      dft(u);
      repeat(r, [&](int k) { v[k] = u[k]; });
    });
  }
  template <class I>
  void transform(I i, Held& held) const {
    auto const r = get<rader_radix>(spec, i);
    repeat(get<rader_butterflies_at_once>(spec, i), [&](int b) { transform_one(r, held.v + b * r); });
  }

  template <class I, class F>
  void all_butterflies(I i, F f) const {
    block.in_rounds(get<rader_rounds>(spec, i), [&](Int<Block> round) {
      f(Int<Block>(block.thread()) +
        round * get<rader_butterflies_at_once>(spec, i) * get<block_threads>(spec));
    });
    block.sync();
  }

  template <class I>
  void go_through(I i) const {
    all_butterflies(i, [&](Int<Block> butterfly) {
      Held held;
      take(i, butterfly, held);
      transform(i, held);
      put(i, held);
    });
  }

  /// Radix 0 there and back with the product between. The butterfly that has index 0 adds point zero, which
  /// adds it to all points, and leaves the sum of all in its place.
  void multiply() const {
    auto const i = get<first_rader_radix>(spec);
    auto const entries = args.roots + get<rader_spectrum_table>(spec);
    all_butterflies(i, [&](Int<Block> butterfly) {
      auto const r = get<rader_radix>(spec, i);
      Held held;
      take(i, butterfly, held);
      transform(i, held);
      repeat(get<rader_butterflies_at_once>(spec, i), [&](int b) {
        Position const at = held.position[b];
        auto const here = block.only(at.exists);
        if (!here) return;
        Complex<T> const sum = held.v[b * r];
        repeat(r, [&](int k) {
          held.v[b * r + k] =
              held.v[b * r + k] * block.root(entries, at.number + k * get<rader_butterflies>(spec, i));
        });
        auto const is_first = block.only(at.number == 0);
        if (!is_first) return;
        auto const point = block.template take<T>(at.line * get<rader_pitch>(spec));
        held.v[b * r] = held.v[b * r] + point;
        block.put(at.line * get<rader_pitch>(spec), sum + point);
      });
      transform(i, held);
      put(i, held);
    });
  }

  /// The fastest radix, from the order of memory into that of Rader, or back.
  template <class I>
  void reorder(I i, bool there) const {
    auto const r = get<rader_radix>(spec, i);
    auto const entries = array_of<int>(args.roots) + get<rader_place_table>(spec);
    Position const at = position(i, Int<Block>(block.thread()));
    auto const line = at.line * get<rader_pitch>(spec) + 1;
    auto const ordered = [&](int k, Int<Block> number) {
      return line + block.root(entries, number + k * get<rader_butterflies>(spec, i));
    };
    Complex<T> v[max_registers] = {};  // else NVRTC 13.0 spills, though what is not taken is not used
    if (auto const here = block.only(at.exists))
      repeat(r, [&](int k) { v[k] = block.template take<T>(there ? ordered(k, at.number) : at.place + k); });
    block.sync();
    if (auto const here = block.only(
            at.exists)) {  // not before: what is transformed goes at once, and leaves its registers
      transform_one(r, v);
      auto const number = block.opaque(at.number);
      repeat(r, [&](int k) { block.put(there ? at.place + k : ordered(k, number), v[k]); });
    }
    block.sync();
  }
};

}  // namespace skipper::kernel
