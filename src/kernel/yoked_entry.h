#pragma once
// The kernel of two sweeps that are yoked (yoke.h), as NVRTC compiles it.
#include "kernel/entry.h"
#include "kernel/yoke.h"

namespace skipper::kernel {

/// A block that is told which tile it has, and waits for others by their counter; a lone one first for whatever the stream
/// had before, as the next call's blocks may come while this one runs.
template <class Base, bool Lone>
class YokedBlock : public Base {
 public:
  YokedBlock(Wide tile, Wide tiles, unsigned* counters, Wait const& wait)
      : tile_(tile), tiles_(tiles), counters_(counters), wait_(wait) {}

  Wide tile() const { return tile_; }
  Wide tiles() const { return tiles_; }

  /// One thread looks; what was written before the others counted is seen by all behind the barrier.
  void await() {
    if constexpr (Lone) {
      Base::await();
      if (wait_.enough == 0) return;
    }
    if (threadIdx.x == 0) {
      unsigned done;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(done)
                     : "l"(counters_ + wait_.awaited)
                     : "memory");
      } while (done < wait_.enough);
      if constexpr (Lone)  // what it gives is looked at when the tile is done, and not waited for
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;"
                     : "=r"(before_)
                     : "l"(counters_ + wait_.counted)
                     : "memory");
    }
    __syncthreads();
  }

  void count() const {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counters_ + wait_.counted) : "memory");
  }

  /// Of lone tiles of the last sweep: when all have begun, nobody looks at the counters any more.
  void leave_as_found() const {
    if (before_ + 1 == tiles_) counters_[wait_.awaited] = counters_[wait_.counted] = 0;
  }

 private:
  Wide tile_, tiles_;
  unsigned* counters_;
  Wait wait_;
  unsigned before_ = 0;  // how many had begun
};

template <class T, SweepSpec const& S>
void run_yoked(YokedArgs<T> const& args, Turn turn) {
  YokedBlock<UserBlock<CudaBlock<1, S.flow.read_once, S.flow.write_once>, NoUser>, S.flow.lone> block(
      turn.tile, args.yoke.all[turn.last], args.yoke.counters, wait_of(args.yoke, turn));
  Args<T> const own = args_of(args, turn);
  sweep<T>(Named<S>{}, block, own);
  if (S.flow.lone && turn.last) {
    if (threadIdx.x == 0) block.leave_as_found();
    return;
  }
  __syncthreads();
  if constexpr (S.flow.discards) {
    TileLines<T, Named<S>, decltype(block)>({}, block, own, turn.tile).each_line([&](Wide at) {
      asm volatile("discard.global.L2 [%0], 128;" ::"l"(__cvta_generic_to_global(own.in + at)) : "memory");
    });
    __syncthreads();
  }
  if (threadIdx.x == 0) block.count();
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
