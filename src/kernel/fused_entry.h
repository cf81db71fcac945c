#pragma once
// The kernel of two sweeps that are fused (fused_passes.h), as NVRTC compiles it.
#include "kernel/entry.h"
#include "kernel/fused_passes.h"

namespace skipper::kernel {

/// How a block gets its work items (process_items).
class Items {
 public:
  static bool is_first() { return threadIdx.x == 0; }
  static void set(unsigned* word, unsigned bit) { atomicOr(word, bit); }
  static unsigned clear(unsigned* word, unsigned bit) { return atomicAnd(word, ~bit); }
  static unsigned peek(unsigned const* word) { return *static_cast<unsigned const volatile*>(word); }

  /// The value that thread 0 gets from f(), for all threads. The block's shared memory holds nothing then.
  template <class F>
  unsigned broadcast(F f) const {
    auto& word = *reinterpret_cast<unsigned*>(shared_memory);
    __syncthreads();
    if (threadIdx.x == 0) word = f();
    __syncthreads();
    unsigned const value = word;
    __syncthreads();
    return value;
  }

  void sync() const { __syncthreads(); }
  /// A thread that reads this count also sees what all threads of the block wrote before the barrier.
  void count(unsigned* counter) const {
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
  }
};

/// A block that runs a work item, and waits for others by their counter.
template <class Base>
class FusedBlock : public Base {
 public:
  FusedBlock(FusedPasses const& fused_passes, WorkItem work_item, Wait wait)
      : fused_passes_(fused_passes),
        tile_(work_item.tile),
        tiles_(fused_passes.all[work_item.last]),
        counter_(fused_passes.counters + wait.counter),
        target_(wait.target) {}

  Wide tile() const { return tile_; }
  Wide tiles() const { return tiles_; }

  /// One thread polls; what was written before the others signalled is seen by all behind the barrier. False where it has
  /// waited too long.
  bool wait_for_previous() { return __syncthreads_and(threadIdx.x != 0 || waited()); }
  void poll_previous() {
    if (threadIdx.x == 0) poll();
  }

 private:
  static constexpr int max_polls =
      4096;  // Polls before an item is deferred: far longer than an item takes. A choice, not measured.

  bool waited() {
    for (int polls = 0; done_ < target_; poll())
      if (++polls > max_polls && !fused_passes_.second_launch) return false;
    return true;
  }
  void poll() {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(done_) : "l"(counter_) : "memory");
  }

  FusedPasses const& fused_passes_;  // the kernel's argument
  Wide tile_, tiles_;
  unsigned const* counter_;
  unsigned target_;
  unsigned done_ = 0;  // value of the counter when it was last polled
};

template <class T, SweepSpec const& S>
bool run_item(FusedArgs<T> const& args, WorkItem work_item, Wait wait) {
  FusedBlock<UserBlock<CudaBlock<1, S.flow.read_streaming, S.flow.write_streaming>, NoUser>> block(
      args.fused_passes, work_item, wait);
  Args<T> const own = args_of(args, work_item);
  return sweep<T>(Named<S>{}, block, own);
}

template <class T, SweepSpec const& A, SweepSpec const& B>
__global__ void __launch_bounds__(A.threads, A.resident) fused_kernel(FusedArgs<T> args) {
  static_assert(A.threads == B.threads && A.resident == B.resident && A.cluster_ranks == 1 &&
                B.cluster_ranks == 1);
  static_assert(A.flow.dependent && B.flow.dependent,
                "each item checks in wait_for_previous() whether it has waited too long");
  Items items;
#if __CUDA_ARCH__ >= 900
  if (args.fused_passes.second_launch) asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  process_items(
      args.fused_passes, blockIdx.x + gridDim.x * blockIdx.y, items, [&](WorkItem work_item, Wait wait) {
        return work_item.last ? run_item<T, B>(args, work_item, wait) : run_item<T, A>(args, work_item, wait);
      });
}

}  // namespace skipper::kernel
