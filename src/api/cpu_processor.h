// The CPU engine as the processor of a rank.
#pragma once

#include <skipper/communicator.h>

#include <algorithm>

#include "cpu/engine.h"
#include "cpu/pool.h"
#include "distributed/port.h"

namespace skipper {

class CpuTransform final : public distributed::Transform {
 public:
  CpuTransform(distributed::LocalProblem const& local, Machine const& machine, int threads)
      : transform_(local.problem, machine, {threads, "", nullptr, nullptr, {}, local.narrow}) {}
  void run(void const* in, void* out) const override { transform_.execute(in, out); }

 private:
  cpu::Transform transform_;
};

class CpuProcessor final : public distributed::Processor {
 public:
  explicit CpuProcessor(int threads) : threads_(threads), machine_(cpu::host_machine()) {}
  int threads() const override { return threads_; }
  Index cache_bytes() const override { return std::max<Index>(machine_.l2_bytes, 256 << 10); }
  std::unique_ptr<distributed::Transform> prepare(distributed::LocalProblem const& local,
                                                  bool all_threads) const override {
    return std::make_unique<CpuTransform>(local, machine_, all_threads ? threads_ : 1);
  }
  void loop(Index count, std::function<void(int, Index, Index)> const& body) const override {
    cpu::parallel_for(count, threads_, body);
  }

 private:
  int threads_;
  Machine machine_;
};

/// As many as are asked for, or the rank's share of the node's cores.
inline int rank_threads(int wanted, Communicator const& c) {
  return wanted > 0 ? wanted
                    : std::max(1, cpu::cores() / std::max(1, std::min(c.size(), c.ranks_per_node())));
}

}  // namespace skipper
