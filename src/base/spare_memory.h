// Workspaces that are not in use, so that an execution need not allocate. Each place holds one or none and is taken by
// one exchange: there is no lock, so a child of fork() finds none that is held for ever.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

namespace skipper {

/// Memory aligned to a line of the cache.
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

  /// All calls on one object ask for the same size. What had to be allocated is shown to `fresh` before it is written.
  AlignedMemory take(std::size_t bytes, void (*fresh)(void*, std::size_t) = nullptr) {
    for (std::atomic<void*>& place : places_)
      if (place.load(std::memory_order_relaxed))
        if (void* const memory = place.exchange(nullptr, std::memory_order_acquire))
          return AlignedMemory(memory);
    AlignedMemory memory = allocate_aligned(bytes);
    if (fresh) fresh(memory.get(), bytes);
    return memory;
  }

  /// What finds no place is freed.
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
