// The CPU engine: every kind, length and layout, on vector instructions and threads.
#pragma once

#include <skipper/problem.h>
#include <skipper/segment.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/machine.h"

namespace skipper::cpu {

struct Options {
  int threads = 0;              // 0: all cores
  std::string instruction_set;  // "": the best that this machine runs; else one of instruction_sets()
  SegmentFunction load = nullptr, store = nullptr;  // of a user
};

/// A prepared transform. Nothing changes after construction: one may be executed by many threads at once, each
/// call with its own arrays and workspace.
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
  std::unique_ptr<Body> body_;
};

/// Those that this machine can run, best last.
std::vector<std::string> instruction_sets();

/// The facts of this CPU, under the name "host". The bandwidth of a copy is a guess, which transforms do not look at.
Machine host_machine();
/// The same with that bandwidth measured, once in a process, which takes a moment.
Machine measured_host_machine();

}  // namespace skipper::cpu
