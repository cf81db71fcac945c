// The interface between a rank and its engine, which prepares transforms and runs loops. The distributed transform knows no
// engine.
#pragma once

#include <functional>
#include <memory>

#include "base/index.h"
#include "distributed/local_problem.h"

namespace skipper::distributed {

/// A prepared local transform.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual void run(void const* in, void* out) const = 0;
};

/// The CPU of a rank.
class Processor {
 public:
  virtual ~Processor() = default;
  virtual int threads() const = 0;
  virtual Index cache_bytes() const = 0;  // that a thread has by itself
  /// For all threads together, or for one that is inside a loop.
  virtual std::unique_ptr<Transform> prepare(LocalProblem const& local, bool all_threads) const = 0;
  /// body(slot, begin, end) over pieces of 0..count-1; slots are below threads(), and none is used twice at once.
  virtual void loop(Index count, std::function<void(int, Index, Index)> const& body) const = 0;
};

}  // namespace skipper::distributed
