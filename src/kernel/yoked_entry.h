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
  void await() {
    if (threadIdx.x == 0)
      while (done_ < enough_) look_once();
    __syncthreads();
  }
  void look() {
    if (threadIdx.x == 0) look_once();
  }

 private:
  void look_once() {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(done_) : "l"(awaited_) : "memory");
  }

  Wide tile_, tiles_;
  unsigned const* awaited_;
  unsigned enough_;
  unsigned done_ = 0;  // tiles that had counted when it last looked
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
  if (threadIdx.x == 0)
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counters + wait.counted) : "memory");
}

/// The block's turn: by its index, or as blocks begin, so that no tile can wait for one whose block never does.
template <bool Tickets>
unsigned number_of(Yoke const& yoke) {
  if constexpr (!Tickets) return blockIdx.x + gridDim.x * blockIdx.y;
  auto& drawn = *reinterpret_cast<unsigned*>(shared_memory);
  if (threadIdx.x == 0) drawn = atomicAdd(yoke.counters + tickets_of(yoke.slots), 1u);
  __syncthreads();
  unsigned const number = drawn;
  __syncthreads();
  return number;
}

template <class T, SweepSpec const& A, SweepSpec const& B>
__global__ void __launch_bounds__(A.threads, A.resident) yoked_kernel(YokedArgs<T> args) {
  static_assert(A.threads == B.threads && A.resident == B.resident && A.ranks == 1 && B.ranks == 1);
  Turn const turn = turn_of(args.yoke, number_of<A.flow.tickets>(args.yoke));
  if (turn.last)
    run_yoked<T, B>(args, turn);
  else
    run_yoked<T, A>(args, turn);
}

}  // namespace skipper::kernel
