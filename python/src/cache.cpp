// A table of plans by key and a list in the order of their last use.
#include "cache.h"

#include <nanobind/nanobind.h>

#include <list>
#include <mutex>
#include <unordered_map>

#include "bindings.h"
#include "gil.h"

namespace skipper::python {
namespace {

using Numbers = std::span<std::int64_t const>;

struct HashNumbers {
  using is_transparent = void;
  std::size_t operator()(Numbers numbers) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    for (std::int64_t const number : numbers) {
      hash = (hash ^ static_cast<std::uint64_t>(number)) * 0xff51afd7ed558ccdu;
      hash ^= hash >> 32;
    }
    return hash;
  }
};
struct EqualNumbers {
  using is_transparent = void;
  bool operator()(Numbers a, Numbers b) const { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
};

struct Entry {
  std::vector<std::int64_t> key;
  std::shared_ptr<Planned const> planned;
};

struct Cache {
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first
  std::unordered_map<Numbers, std::list<Entry>::iterator, HashNumbers, EqualNumbers> places;
  std::size_t limit = 128;
  std::int64_t hits = 0, misses = 0, evictions = 0;
};

// Never destroyed: threads may still compute when the process ends.
Cache& cache() {
  static Cache& the_cache = *new Cache;
  return the_cache;
}

// Takes what is beyond the limit out of the table. It is destroyed by the caller, after the lock is given back.
std::list<Entry> shrink(Cache& c) {
  std::list<Entry> gone;
  while (c.entries.size() > c.limit) {
    c.places.erase(c.entries.back().key);
    gone.splice(gone.end(), c.entries, std::prev(c.entries.end()));
    ++c.evictions;
  }
  return gone;
}

std::shared_ptr<Planned const> found(Cache& c, Numbers key) {
  std::scoped_lock const lock(c.mutex);
  auto const place = c.places.find(key);
  if (place == c.places.end()) {
    ++c.misses;
    return nullptr;
  }
  ++c.hits;
  if (place->second != c.entries.begin()) c.entries.splice(c.entries.begin(), c.entries, place->second);
  return place->second->planned;
}

void keep(Cache& c, Numbers key, std::shared_ptr<Planned const> const& made) {
  std::list<Entry> gone;
  std::scoped_lock const lock(c.mutex);
  if (c.limit == 0 || c.places.contains(key)) return;
  c.entries.push_front({{key.begin(), key.end()}, made});
  c.places.emplace(c.entries.front().key, c.entries.begin());
  gone = shrink(c);
}

}  // namespace

std::shared_ptr<Planned const> make_planned(Request const& request) {
  ReleasedGil const released;
  PlanSettings settings;
  if (request.device < 0) {
    settings.device = Device("cpu");
    settings.cpu.threads = request.threads;
  } else {
    settings.device = Device("cuda:" + std::to_string(request.device));
  }
  Problem const problem = problem_of(request);
  Plan plan(problem, settings);
  std::int64_t const bytes = in_bytes(problem) + out_bytes(problem);
  return std::make_shared<Planned const>(Planned{std::move(plan), bytes, request.device});
}

std::shared_ptr<Planned const> planned(Request const& request) {
  Key key;
  set_key(key, request);
  if (auto kept = found(cache(), key.view())) return kept;
  auto made = make_planned(request);
  keep(cache(), key.view(), made);
  return made;
}

void bind_cache(nb::module_& m) {
  m.def(
      "cache_info",
      [] {
        Cache& c = cache();
        std::scoped_lock const lock(c.mutex);
        return nb::make_tuple(c.hits, c.misses, c.evictions, c.entries.size(), c.limit);
      },
      "Hits, misses, evictions, plans kept, limit.");
  m.def("cache_clear", [] {
    Cache& c = cache();
    std::list<Entry> gone;
    std::scoped_lock const lock(c.mutex);
    c.places.clear();
    gone.swap(c.entries);
    c.hits = c.misses = c.evictions = 0;
  });
  m.def("cache_set_limit", [](std::int64_t limit) {
    if (limit < 0)
      throw Error("limit", "is " + std::to_string(limit) + "; give the number of plans to keep, 0 for none");
    Cache& c = cache();
    std::list<Entry> gone;
    std::scoped_lock const lock(c.mutex);
    c.limit = static_cast<std::size_t>(limit);
    gone = shrink(c);
  });
}

}  // namespace skipper::python
