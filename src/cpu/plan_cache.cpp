// See plan_cache.h.
#include "cpu/plan_cache.h"

#include <pthread.h>

#include <utility>

namespace skipper::cpu {

PlanCache& PlanCache::instance() {
  static PlanCache* const cache = [] {
    static PlanCache* made = nullptr;  // for the handlers, which take no argument
    made = new PlanCache(Limits{});
    // The lock is taken across fork(): a child must not find it held by a thread that it does not have.
    pthread_atfork([] { made->mutex_.lock(); }, [] { made->mutex_.unlock(); }, [] { made->mutex_.unlock(); });
    return made;
  }();
  return *cache;
}

PlanCache::Value PlanCache::find_locked(PlanKey const& key) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    Value value = entry->value.lock();
    if (!value) {
      entry = entries_.erase(entry);
      continue;
    }
    if (entry->key == key) {
      entries_.splice(entries_.begin(), entries_, entry);
      if (entry->bytes <= limits_.bytes) entry->kept = value;
      return value;
    }
    ++entry;
  }
  return nullptr;
}

PlanCache::Value PlanCache::find(PlanKey const& key) {
  std::list<Value> fallen;
  std::lock_guard lock(mutex_);
  Value value = find_locked(key);
  fallen = trim_locked(limits_);
  return value;
}

PlanCache::Value PlanCache::keep(PlanKey key, Value value, std::size_t bytes) {
  std::list<Value> fallen;
  std::lock_guard lock(mutex_);
  if (Value known = find_locked(key)) return known;
  entries_.push_front({std::move(key), value, bytes <= limits_.bytes ? value : nullptr, bytes});
  fallen = trim_locked(limits_);
  return value;
}

std::list<PlanCache::Value> PlanCache::trim_locked(Limits const& limits) {
  std::list<Value> fallen;
  Use sum;
  for (Entry& entry : entries_) {
    if (!entry.kept) continue;
    sum.bytes += entry.bytes;
    sum.entries += 1;
    if (sum.bytes <= limits.bytes && sum.entries <= limits.entries) continue;
    sum.bytes -= entry.bytes;
    sum.entries -= 1;
    fallen.push_back(std::move(entry.kept));
    entry.kept = nullptr;
  }
  return fallen;
}

void PlanCache::clear() {
  std::list<Value> fallen;
  std::lock_guard lock(mutex_);
  fallen = trim_locked({0, 0});
}

PlanCache::Use PlanCache::use() const {
  std::lock_guard lock(mutex_);
  Use sum;
  for (Entry const& entry : entries_)
    if (entry.kept) sum.bytes += entry.bytes, sum.entries += 1;
  return sum;
}

}  // namespace skipper::cpu
