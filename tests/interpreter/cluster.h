#pragma once
// Runs one cluster of blocks: a value is an array over all its threads, an instruction a loop over them. What a region leaves out
// is masked where memory is touched and where values are merged; arithmetic is done by all. Beside the number of each thread a
// value has whether it is unset, which goes wherever the number goes.
#include <algorithm>

#include "interpreter/interpreter.h"
#include "interpreter/shared.h"
#include "interpreter/slots.h"

namespace skipper::interpreter {

/// A value of all threads.
class Lanes {
 public:
  explicit Lanes(std::size_t threads) : bytes_(8 * threads), unset_(threads) {}
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes_.data());
  }
  bool any_unset = false;
  char* unset() { return unset_.data(); }
  void all_set() { any_unset = false; }
  void mark_unset(std::size_t thread) {
    if (!any_unset) std::fill(unset_.begin(), unset_.end(), char(0));
    any_unset = true;
    unset_[thread] = 1;
  }
  bool is_unset(std::size_t thread) const { return any_unset && unset_[thread]; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<char> unset_;
};

/// What is the same for all clusters of a launch.
struct Run {
  ir::Kernel const& kernel;
  Launch const& launch;
  Settings settings;
  emulator::GlobalMemory& memory;
  Slots slots;
  std::vector<ir::Value> partner;
};

class Cluster {
 public:
  Cluster(Run const& run, emulator::Counts& counts);

  void start(Wide tile);
  /// Goes on until it ends, or with `pauses` until a barrier or a poll. Whether it has ended.
  bool advance(bool pauses);
  /// Whether it stands in a loop that polls and has found what it had before.
  bool waits() const { return waits_; }

 private:
  struct Region {
    ir::Value begin;
    std::vector<char> mask;
    std::size_t active;
  };

  // cluster.cpp
  void execute(ir::Value v);
  void begin_if(ir::Value v);
  void end_region();
  void begin_loop(ir::Value v);
  void next_round(ir::Value end);
  void merge(ir::Value v);
  void barrier(ir::Op op);
  void all_of_block(ir::Value v);
  void check_set(ir::Value v, char const* what);
  [[noreturn]] void fail(std::size_t thread, std::string const& what) const;

  // arithmetic.cpp
  void fixed_values();
  void pure(ir::Value v);
  template <class T>
  void floating(ir::Value v);
  template <class T>
  void integer(ir::Value v);
  void predicate(ir::Value v);
  void convert(ir::Value v);
  void select(ir::Value v);
  void spread_unset(ir::Value v);
  void copy(ir::Value from, Lanes& to, char const* mask, char where);

  // accesses.cpp
  void load(ir::Value v);
  void store(ir::Value v);
  void prefetch(ir::Value v);
  void discard(ir::Value v);
  void atomic(ir::Value v);
  void matrix_multiply(ir::Value v);
  void call_user(ir::Value v);
  std::uintptr_t global_address(ir::Value v, std::size_t thread);
  Array const& array_at(std::size_t thread, emulator::Use use, std::uintptr_t at, int bytes);
  void note(std::size_t thread, emulator::Use use, std::uintptr_t at, int bytes);
  Shared::Place shared_place(ir::Value v, std::size_t thread);
  void read(ir::Value v, std::size_t thread, std::byte const* from, bool is_set);
  void count_access(ir::Value v, std::vector<Wide> const& at, int bytes);

  Lanes& lanes(ir::Value v) { return values_[std::size_t(run_.slots.of[std::size_t(v)])]; }
  template <class T>
  T* as(ir::Value v) {
    return lanes(v).template as<T>();
  }
  ir::Value operand(ir::Value v, int i) const { return run_.kernel.operands_of(v)[std::size_t(i)]; }
  std::vector<char> const& mask() const { return regions_.back().mask; }
  bool is_active(std::size_t thread) const { return mask()[thread] != 0; }
  int rank_of(std::size_t thread) const { return int(thread) / run_.kernel.threads; }
  int thread_of(std::size_t thread) const { return int(thread) % run_.kernel.threads; }
  emulator::Stamp stamp(std::size_t thread) const;

  Run const& run_;
  emulator::Counts& counts_;
  std::size_t threads_;
  std::vector<Lanes> values_;
  Shared shared_;
  std::vector<Region> regions_;
  Region ended_{};  // whose merges come next
  ir::Value at_ = 0;
  Wide tile_ = 0;
  bool waits_ = false;
  std::uint32_t barriers_ = 0, cluster_barriers_ = 0;  // that were reached in this tile
  ir::Value polled_at_ = ir::no_value;                 // the last counter read, and what it gave
  std::int32_t polled_ = 0;
  std::vector<Wide> places_;  // of an access: where each thread goes, -1: nowhere
};

}  // namespace skipper::interpreter
