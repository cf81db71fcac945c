#pragma once
// The global memory of a launch: which arrays its threads may read and write, and what happened to each
// element of the writable ones. Shared by the workers that run tiles at the same time.
#include "emulator/history.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace skipper::emulator {

enum class Use { load, store, root };

/// An array that a launch knows of.
struct Array {
  Use use = Use::load;
  std::uintptr_t base = 0;
  Wide count = 0;
  int bytes = 1;  // of an element

  std::uintptr_t end() const { return base + std::uintptr_t(count) * std::uintptr_t(bytes); }
  bool contains(std::uintptr_t address) const { return address >= base && address < end(); }
};
template <class E>
Array loadable(E const* base, Wide count) {
  return {Use::load, reinterpret_cast<std::uintptr_t>(base), count, int(sizeof(E))};
}
template <class E>
Array storable(E* base, Wide count) {
  return {Use::store, reinterpret_cast<std::uintptr_t>(base), count, int(sizeof(E))};
}
template <class E>
Array root_table(E const* base, Wide count) {
  return {Use::root, reinterpret_cast<std::uintptr_t>(base), count, int(sizeof(E))};
}

class GlobalMemory {
 public:
  GlobalMemory(std::vector<Array> arrays, bool watch_races);

  /// The array that `use` may touch at this address, or null.
  Array const* find(Use use, std::uintptr_t address) const;

  /// What a message says of the array that begins at `base`: "an array of 64 elements".
  std::string limit(Use use, std::uintptr_t base) const;

  /// Throws when the access races: a store with any other thread's store, or, where data that is read is also
  /// written, a store with a load of another tile, or of another thread without a barrier between.
  void note(Use use, std::uintptr_t address, int bytes, Stamp const& now);

 private:
  struct Watched {
    Array array;
    bool also_read = false;
    std::vector<std::unique_ptr<History[]>> pages;  // of elements, where any was touched: arrays may be vast
  };
  static constexpr std::size_t page_elements = 64;
  void note_element(Use use, Watched& watched, std::size_t index, Stamp const& now);

  std::vector<Array> arrays_;
  std::vector<Watched> watched_;
  std::array<std::mutex, 64> locks_;  // of pages, by their index
};

}  // namespace skipper::emulator
