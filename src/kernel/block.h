#pragma once
// The interface to the hardware: all that kernels use of it. The CUDA block (entry.h) is instructions, the emulated block
// (tests/emulator) bookkeeping. All offsets are in elements (complex numbers).
#include "kernel/complex.h"
#include "kernel/spec.h"
#include "kernel/storage.h"

namespace skipper::kernel {

/// Two elements side by side in shared memory.
template <class T>
struct Two {
  Complex<T> first, second;
};

template <class B, class T>
concept BlockOf = requires(B block, Complex<T> const* in, Complex<T>* out, Complex<T> x, Wide offset,
                           int place, T const* reals, T* real_out, T r, int const* places, Half const* halves,
                           Half* half_out, Complex<Half> const* pairs, Complex<Half>* pair_out,
                           BFloat16 const* bf16, BFloat16* bf16_out, Complex<BFloat16> const* bf16_pairs,
                           Complex<BFloat16>* bf16_pair_out, Complex<float> pair, float single, void* data,
                           double (&sums)[4], double const* left, double const* right, void (&task)(),
                           void (&rounds)(int)) {
  {block.thread()};              // index of this thread in its block
  {block.cluster_rank()};        // rank of this block in its cluster, 0 without clusters
  {block.tile()};                // which tile: the index of the block, or of its cluster
  {block.tiles()};               // how many there are
  {block.prefetch(in, offset)};  // a line of L2, which will be read soon
  {block.prefetch(pairs, offset)};
  {block.wait_for_previous()};   // until the sweep before has ended; false: too long, give the tile up
  {block.poll_previous()};       // one poll: where it has ended, wait_for_previous() does not poll again
  {block.discard(in, offset)};   // a line of L2, which nobody reads any more
  {block.trigger_dependents()};  // the next sweep may be launched
  {block.sync()};                // barrier over the block
  {block.sync_cluster()};        // barrier over the cluster
  {block.sync_warp()};           // over the 32 threads of a warp
  {block.only(true)};  // whether this thread does what is next: if (auto const here = block.only(yes)) ..
  {block.either(true, task, task)};           // the first, or the second of two tasks
  {block.loop(place, place, place, rounds)};  // f(i) for i = from, from + step, .. below a bound
  {block.in_rounds(place, rounds)};           // f(0), f(1), .. as a loop that stays one
  {block.opaque(place)};                      // the same number, of which the compiler knows nothing
  {block.put(place, x)};                      // shared memory of this block
  {block.put_remote(place, place, x)};        // shared memory of the block of a given rank
  {block.template take<T>(place)};            // shared memory of this block
  {block.put_two(place, x, x)};               // at an even place and the next one
  {block.template take_two<T>(place)};
  {block.template take_remote<T>(place, place)};
  {block.put_real(place, r)};  // one real of an element, its place counted in reals
  {block.template take_real<T>(place)};
  {block.load(in, offset)};       // global memory, data
  {block.store(out, offset, x)};  // global memory, data
  {block.load(reals, offset)};    // the same of single reals
  {block.store(real_out, offset, r)};
  {block.load(pairs, offset)};  // and of either in 16-bit storage, as floats
  {block.store(pair_out, offset, pair)};
  {block.load(halves, offset)};
  {block.store(half_out, offset, single)};
  {block.load(bf16_pairs, offset)};
  {block.store(bf16_pair_out, offset, pair)};
  {block.load(bf16, offset)};
  {block.store(bf16_out, offset, single)};
  {block.on_load(x, offset, data)};  // a user's functions on what is read and written, of single reals too
  {block.on_store(x, offset, data)};
  {block.root(in, offset)};      // global memory, a twiddle table: read-only, small, cached
  {block.root(places, offset)};  // the same of a table of places in shared memory
  {block.root(reals, offset)};   // and of one of reals
  {block.reciprocal(r)};         // 1 / r to about the last bit, of numbers far from the ends of their range
  // sums += left x right over all lanes of a warp, 16 x 4K and 4K x 8. Lane 4 g + t has rows g and g + 8 of columns
  // 4 i + t in left[2 i] and left[2 i + 1], row 4 i + t of column g in right[i], rows g and g + 8 of columns 2 t and 2 t + 1
  // in sums[0..1] and sums[2..3].
  {block.template multiply_add<1>(sums, left, right)};
  {block.template multiply_add<4>(sums, left, right)};
};

}  // namespace skipper::kernel
