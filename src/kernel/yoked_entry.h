#pragma once
// The kernel of two sweeps that are yoked (yoke.h), as NVRTC compiles it.
#include "kernel/entry.h"
#include "kernel/yoke.h"

namespace skipper::kernel {

/// A block that is told which tile it has, and waits for others by their counter.
template <class Base>
class YokedBlock : public Base {
 public:
  YokedBlock(Wide tile, Wide tiles, unsigned const* awaited, unsigned enough)
      : tile_(tile), tiles_(tiles), awaited_(awaited), enough_(enough) {}

  Wide tile() const { return tile_; }
  Wide tiles() const { return tiles_; }

  /// One thread looks; what was written before the others counted is seen by all behind the barrier.
  void await() const {
    if (threadIdx.x == 0) {
      unsigned done;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(done) : "l"(awaited_) : "memory");
      } while (done < enough_);
    }
    __syncthreads();
  }

 private:
  Wide tile_, tiles_;
  unsigned const* awaited_;
  unsigned enough_;
};

template <class T, SweepSpec const& S>
void run_yoked(YokedArgs<T> const& args, Turn turn) {
  Wait const wait = wait_of(args.yoke, turn);
  unsigned* const counters = args.yoke.counters;
  YokedBlock<UserBlock<CudaBlock<1, S.flow.read_once, S.flow.write_once>, NoUser>> block(
      turn.tile, args.yoke.all[turn.last], counters + wait.awaited, wait.enough);
  Args<T> const own = args_of(args, turn);
  sweep<T>(Named<S>{}, block, own);
  __syncthreads();
  if constexpr (S.flow.discards) {
    TileLines<T, Named<S>, decltype(block)>({}, block, own, turn.tile).each_line([&](Wide at) {
      asm volatile("discard.global.L2 [%0], 128;" ::"l"(__cvta_generic_to_global(own.in + at)) : "memory");
    });
    __syncthreads();
  }
  if (threadIdx.x == 0)
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counters + wait.counted) : "memory");
}

template <class T, SweepSpec const& A, SweepSpec const& B>
__global__ void __launch_bounds__(A.threads, A.resident) yoked_kernel(YokedArgs<T> args) {
  static_assert(A.threads == B.threads && A.resident == B.resident && A.ranks == 1 && B.ranks == 1);
  Turn const turn = turn_of(args.yoke, blockIdx.x + gridDim.x * blockIdx.y);
  if (turn.last)
    run_yoked<T, B>(args, turn);
  else
    run_yoked<T, A>(args, turn);
}

}  // namespace skipper::kernel
