// A cache of prepared transforms: equal plans share one set of tables, and making a plan again is a look-up. An entry
// lives as long as plans use it; entries that no plan uses are kept too, the most recently used ones up to a limit.
#pragma once

#include <skipper/problem.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "base/machine.h"

namespace skipper::cpu {

/// All that a prepared transform depends on.
struct PlanKey {
  Problem problem;
  Machine machine;
  int threads = 1;
  void const* instructions = nullptr;

  bool operator==(PlanKey const&) const = default;
};

class PlanCache {
 public:
  struct Limits {
    std::size_t bytes = std::size_t(256) << 20;  // of tables
    std::size_t entries = 256;
  };
  explicit PlanCache(Limits limits) : limits_(limits) {}

  /// The cache of the process. It is never destroyed, so that plans may be made and destroyed until the very end, and a child
  /// of fork() finds it unlocked.
  static PlanCache& instance();

  using Value = std::shared_ptr<void const>;
  /// Null where there is none.
  Value find(PlanKey const& key);
  /// Keeps a value and returns it, or the one that another thread has kept meanwhile.
  Value keep(PlanKey key, Value value, std::size_t bytes);
  /// Drops all entries that no plan uses.
  void clear();

  struct Use {
    std::size_t bytes = 0, entries = 0;
  };
  /// What counts against the limits: the entries that the cache itself keeps.
  Use use() const;

 private:
  struct Entry {
    PlanKey key;
    std::weak_ptr<void const> value;
    Value kept;  // null once the limits have pushed it out: then it lives as long as plans use it
    std::size_t bytes = 0;
  };
  using Entries = std::list<Entry>;  // the most recently used first

  Value find_locked(PlanKey const& key);
  /// Makes room. Returns what was dropped, for the caller to destroy without the lock.
  std::list<Value> trim_locked(Limits const& limits);

  Limits limits_;
  mutable std::mutex mutex_;
  Entries entries_;
};

}  // namespace skipper::cpu
