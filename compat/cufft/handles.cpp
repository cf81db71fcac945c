// See handles.h. A handle is the number of a place, from 1 on, and above it the generation of that place.
#include "handles.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <utility>

namespace skipper::cufft {
namespace {

constexpr unsigned place_bits = 20, generation_bits = 11;
constexpr std::size_t page_places = 1024, pages = (std::size_t(1) << place_bits) / page_places;
constexpr std::size_t idle_before_reuse = 256;  // so that a stale handle is told for long

/// Places come in pages that stay where they are. Never destroyed: programs destroy plans when they end.
struct Table {
  std::array<std::atomic<Place*>, pages> all{};
  std::mutex mutex;      // of what follows
  std::size_t used = 1;  // 0 is no handle
  std::deque<unsigned> free;
};

Table& table() {
  static Table& it = *new Table;
  return it;
}

Place* place_at(std::size_t number) {
  Place* const page = table().all[number / page_places].load(std::memory_order_acquire);
  return page ? &page[number % page_places] : nullptr;
}

std::size_t number_of(cufftHandle handle) {
  return std::size_t(handle) & ((std::size_t(1) << place_bits) - 1);
}
unsigned generation_of(cufftHandle handle) { return unsigned(handle) >> place_bits; }

/// 0 where the table is full.
std::size_t free_place() {
  Table& t = table();
  std::lock_guard const lock(t.mutex);
  bool const full = t.used == pages * page_places;
  if (t.free.size() > idle_before_reuse || (full && !t.free.empty())) {
    std::size_t const number = t.free.front();
    t.free.pop_front();
    return number;
  }
  if (full) return 0;
  auto& page = t.all[t.used / page_places];
  if (!page.load(std::memory_order_relaxed)) page.store(new Place[page_places], std::memory_order_release);
  return t.used++;
}

}  // namespace

LockedPlan::LockedPlan(cufftHandle handle) noexcept {
  if (handle <= 0) return;
  Place* const place = place_at(number_of(handle));
  if (!place) return;
  lock_ = std::unique_lock(place->mutex);
  if (place->generation == generation_of(handle)) plan_ = place->plan.get();
}

cufftHandle add_plan() {
  auto plan = std::make_unique<PlanBody>();
  std::size_t const number = free_place();
  if (number == 0) return CUFFT_PLAN_NULL;
  Place& place = *place_at(number);
  std::lock_guard const lock(place.mutex);
  place.plan = std::move(plan);
  return cufftHandle(place.generation << place_bits | unsigned(number));
}

bool remove_plan(cufftHandle handle) noexcept {
  if (handle <= 0) return false;
  Place* const place = place_at(number_of(handle));
  if (!place) return false;
  std::unique_ptr<PlanBody> plan;  // ends last, without locks
  {
    std::lock_guard const lock(place->mutex);
    if (!place->plan || place->generation != generation_of(handle)) return false;
    plan = std::move(place->plan);
    place->generation = (place->generation + 1) & ((1u << generation_bits) - 1);
  }
  std::lock_guard const lock(table().mutex);
  try {
    table().free.push_back(unsigned(number_of(handle)));
  } catch (std::bad_alloc const&) {  // the place stays unused
  }
  return true;
}

}  // namespace skipper::cufft
