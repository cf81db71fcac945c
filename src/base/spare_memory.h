// A store of unused workspaces, so that an execution need not allocate. It has places for one workspace each, taken by one atomic
// exchange. There is no lock, so a child of fork() finds none that is held for ever.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

namespace skipper {

/// Memory aligned to a cache line.
struct FreeAligned {
  static constexpr std::align_val_t alignment{64};
  void operator()(void* memory) const { ::operator delete(memory, alignment); }
};
using AlignedMemory = std::unique_ptr<void, FreeAligned>;

inline AlignedMemory allocate_aligned(std::size_t bytes) {
  return AlignedMemory(::operator new(bytes, FreeAligned::alignment));
}

class SpareMemory {
 public:
  SpareMemory() = default;
  SpareMemory(SpareMemory const&) = delete;
  SpareMemory& operator=(SpareMemory const&) = delete;
  ~SpareMemory() {
    for (std::atomic<void*>& place : places_) FreeAligned()(place.load(std::memory_order_relaxed));
  }

  /// All calls on one object must ask for the same size. `fresh` is called with memory that had to be allocated, before it is written.
  AlignedMemory take(std::size_t bytes, void (*fresh)(void*, std::size_t) = nullptr) {
    for (std::atomic<void*>& place : places_)
      if (place.load(std::memory_order_relaxed))
        if (void* const memory = place.exchange(nullptr, std::memory_order_acquire))
          return AlignedMemory(memory);
    AlignedMemory memory = allocate_aligned(bytes);
    if (fresh) fresh(memory.get(), bytes);
    return memory;
  }

  /// Keeps the memory for the next take(), or frees it where all places are full.
  void give(AlignedMemory memory) {
    for (std::atomic<void*>& place : places_) {
      void* none = nullptr;
      if (!place.load(std::memory_order_relaxed) &&
          place.compare_exchange_strong(none, memory.get(), std::memory_order_release)) {
        memory.release();
        return;
      }
    }
  }

 private:
  std::array<std::atomic<void*>, 64> places_{};
};

}  // namespace skipper
