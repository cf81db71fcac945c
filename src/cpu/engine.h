// The CPU engine: every kind, length and layout, on vector instructions and threads.
#pragma once

#include <skipper/executor.h>
#include <skipper/problem.h>
#include <skipper/callbacks.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/narrow_sides.h"
#include "base/machine.h"

namespace skipper::cpu {

struct Options {
  int threads = 0;              // 0: those of the executor, or all cores
  std::string instruction_set;  // "": the best that this machine runs; else one of instruction_sets()
  Callback load = nullptr, store = nullptr;  // of a user
  Executor executor = {};                    // empty: the default one
  NarrowSides narrow = NarrowSides::both;    // of f16 and bf16 problems
};

/// A prepared transform. What cannot fit in the machine's memory is refused before anything is computed. Nothing changes
/// after construction: one may be executed by many threads at once, each call with its own arrays and workspace.
class Transform {
 public:
  /// Throws Error for bad arguments. An axis is one digit here, so the reversed orders are the natural one.
  Transform(Problem const& problem, Machine const& machine, Options options = {});
  ~Transform();
  Transform(Transform&&) noexcept;
  Transform& operator=(Transform&&) noexcept;

  std::size_t workspace_bytes() const;

  /// Without a workspace one is taken from this transform's own store, which keeps as many as were ever in use at
  /// once. A workspace needs no alignment beyond its scalars'.
  void execute(void const* in, void* out, void* workspace = nullptr) const;

  /// The problem, the instruction set, and a line a sweep with its radices.
  std::string describe() const;

 private:
  struct Body;
  struct Store;
  std::shared_ptr<Body const> body_;  // shared by equal plans
  std::unique_ptr<Store> store_;
};

/// What a plan takes beside the user's arrays. Counted without computing or allocating anything.
struct Needs {
  double table_bytes = 0, workspace_bytes = 0;
};
Needs needs(Problem const& problem, Machine const& machine, Options const& options = {});

/// Equal plans without a user's functions share what they are made of, and some of what no plan uses any more is kept for
/// the next one (plan_cache.h). This lets go of the latter.
void clear_plan_cache();

/// Those that this machine can run, best last.
std::vector<std::string> instruction_sets();

/// The facts of this CPU, under the name "host". The bandwidth of a copy is a guess, which transforms do not look at.
Machine host_machine();
/// The same with that bandwidth measured, once in a process, which takes a moment.
Machine measured_host_machine();

}  // namespace skipper::cpu
