// Bounds and races of global memory.
#include "emulator/memory.h"

#include <algorithm>
#include <utility>

namespace skipper::emulator {

std::string name(Stamp const& stamp) {
  auto const part = [](std::string const& what, unsigned number, bool many) {
    return many ? "several " + what + "s" : what + " " + std::to_string(number);
  };
  return part("thread", stamp.thread, stamp.thread == Stamp::several) + " of " +
         part("rank", stamp.cluster_rank, stamp.cluster_rank == Stamp::several) + ", " +
         part("tile", stamp.tile, stamp.tile == Stamp::nowhere - 1);
}

GlobalMemory::GlobalMemory(std::vector<Array> arrays, bool watch_races) : arrays_(std::move(arrays)) {
  if (!watch_races) return;
  for (auto const& array : arrays_) {
    if (array.use != Use::store) continue;
    Watched watched{array, false, {}};
    watched.pages.resize((std::size_t(array.count) + page_elements - 1) / page_elements);
    for (auto const& other : arrays_)
      if (other.use != Use::store && other.base < array.end() && array.base < other.end())
        watched.also_read = true;
    watched_.push_back(std::move(watched));
  }
}

Array const* GlobalMemory::find(Use use, std::uintptr_t address) const {
  for (auto const& array : arrays_)
    if (array.use == use && array.contains(address)) return &array;
  return nullptr;
}

std::string GlobalMemory::limit(Use use, std::uintptr_t base) const {
  for (auto const& array : arrays_)
    if (array.use == use && array.base == base)
      return "an array of " + std::to_string(array.count) + " elements";
  return "an array unknown to this launch";
}

void GlobalMemory::note(Use use, std::uintptr_t address, int bytes, Stamp const& now) {
  for (auto& watched : watched_) {
    if (!watched.array.contains(address) || (use != Use::store && !watched.also_read)) continue;
    auto const unit = std::size_t(watched.array.bytes);
    auto const from = std::size_t(address - watched.array.base) / unit;
    auto const to = (std::size_t(address - watched.array.base) + std::size_t(bytes) - 1) / unit;
    for (auto index = from; index <= std::min(to, std::size_t(watched.array.count) - 1); ++index)
      note_element(use, watched, index, now);
  }
}

void GlobalMemory::note_element(Use use, Watched& watched, std::size_t index, Stamp const& now) {
  std::size_t const number = index / page_elements;
  std::lock_guard const lock(locks_[number % locks_.size()]);
  auto& page = watched.pages[number];
  if (!page) page = std::make_unique<History[]>(page_elements);
  auto& element = page[index % page_elements];
  if (use == Use::store && element.write.happened() && !element.write.same_thread(now))
    throw EmulationError("race: output element " + std::to_string(index) + " is written by " +
                         name(element.write) + " and by " + name(now));
  Stamp const* const rival = use == Use::store ? element.note_write(now) : element.note_read(now);
  if (rival)
    throw EmulationError("race: element " + std::to_string(index) +
                         " of data that is read and written is touched by " + name(*rival) + " and by " +
                         name(now) + (use == Use::store ? " (a store)" : " (a load)"));
}

}  // namespace skipper::emulator
