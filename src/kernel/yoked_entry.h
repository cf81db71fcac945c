#pragma once
// The kernel of two sweeps that are yoked (yoke.h), as NVRTC compiles it.
#include "kernel/entry.h"
#include "kernel/yoke.h"

namespace skipper::kernel {

/// How a block comes by its items (take_items).
class Items {
 public:
  /// Claims the block's own item. Nobody waits for the answer yet.
  void begin(unsigned* claims, unsigned bit) {
    if (threadIdx.x == 0) taken_ = claim(claims, bit) & bit;
  }
  /// Whether the item had been claimed by another. Of thread 0.
  bool is_taken() const { return taken_ != 0; }
  /// Whether an item is waited for without limit.
  void set_patience(bool patient) { patient_ = patient; }
  bool is_patient() const { return patient_; }

  static unsigned claim(unsigned* claims, unsigned bit) { return atomicOr(claims, bit); }
  static unsigned peek(unsigned const* claims) { return *static_cast<unsigned const volatile*>(claims); }

  /// What thread 0 finds out, for all. The block's shared memory holds nothing then.
  template <class F>
  unsigned all_get(F f) {
    auto& word = *reinterpret_cast<unsigned*>(shared_memory);
    __syncthreads();
    if (threadIdx.x == 0) word = f();
    __syncthreads();
    unsigned const value = word;
    __syncthreads();
    return value;
  }

  void sync() const { __syncthreads(); }
  /// What all threads wrote before the barrier is seen by who sees the count.
  void count(unsigned* counter) const {
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
  }

 private:
  unsigned taken_ = 0;
  bool patient_ = false;
};

/// A block that works on an item, and waits for others by their counter.
template <class Base>
class YokedBlock : public Base {
 public:
  YokedBlock(Items const& items, Wide tile, Wide tiles, unsigned const* awaited, unsigned enough)
      : items_(items), tile_(tile), tiles_(tiles), awaited_(awaited), enough_(enough) {}

  Wide tile() const { return tile_; }
  Wide tiles() const { return tiles_; }

  /// One thread looks; what was written before the others counted is seen by all behind the barrier. False where the item is
  /// another block's, or where it was waited for too long.
  bool await() { return __syncthreads_and(threadIdx.x != 0 || waited()); }
  void look() {
    if (threadIdx.x == 0) look_once();
  }

 private:
  static constexpr int looks_at_most = 4096;  // a few milliseconds, where an item takes microseconds

  bool waited() {
    if (done_ < enough_) look_once();  // while the claim is on its way
    if (items_.is_taken()) return false;
    for (int looks = 0; done_ < enough_; look_once())
      if (!items_.is_patient() && ++looks > looks_at_most) return false;
    return true;
  }
  void look_once() {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(done_) : "l"(awaited_) : "memory");
  }

  Items const& items_;
  Wide tile_, tiles_;
  unsigned const* awaited_;
  unsigned enough_;
  unsigned done_ = 0;  // tiles that had counted when it last looked
};

template <class T, SweepSpec const& S>
bool run_item(YokedArgs<T> const& args, Items const& items, Turn turn, Wait wait) {
  YokedBlock<UserBlock<CudaBlock<1, S.flow.read_once, S.flow.write_once>, NoUser>> block(
      items, turn.tile, args.yoke.all[turn.last], args.yoke.counters + wait.awaited, wait.enough);
  Args<T> const own = args_of(args, turn);
  return sweep<T>(Named<S>{}, block, own);
}

template <class T, SweepSpec const& A, SweepSpec const& B>
__global__ void __launch_bounds__(A.threads, A.resident) yoked_kernel(YokedArgs<T> args) {
  static_assert(A.threads == B.threads && A.resident == B.resident && A.ranks == 1 && B.ranks == 1);
  static_assert(A.flow.early && B.flow.early, "each item asks in await() whether it is the block's own");
  Items items;
  take_items(args.yoke, blockIdx.x + gridDim.x * blockIdx.y, items, [&](unsigned, Turn turn, Wait wait) {
    return turn.last ? run_item<T, B>(args, items, turn, wait) : run_item<T, A>(args, items, turn, wait);
  });
}

}  // namespace skipper::kernel
