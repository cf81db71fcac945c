// The CPU engine as the processor of a rank.
#pragma once

#include <skipper/communicator.h>

#include <algorithm>
#include <utility>

#include "api/settings.h"
#include "cpu/engine.h"
#include "cpu/host.h"
#include "cpu/pool.h"
#include "distributed/port.h"

namespace skipper {

class CpuTransform final : public distributed::Transform {
 public:
  CpuTransform(distributed::LocalProblem const& local, Machine const& machine, cpu::Options options)
      : transform_(local.problem, machine, with_narrow(std::move(options), local.narrow)) {}
  void run(void const* in, void* out) const override { transform_.execute(in, out); }

 private:
  static cpu::Options with_narrow(cpu::Options options, NarrowSides narrow) {
    options.narrow = narrow;
    return options;
  }

  cpu::Transform transform_;
};

class CpuProcessor final : public distributed::Processor {
 public:
  /// The options name the number of threads.
  explicit CpuProcessor(cpu::Options options) : options_(std::move(options)), machine_(cpu::host_machine()) {}
  int threads() const override { return options_.threads; }
  Index cache_bytes() const override { return std::max<Index>(machine_.l2_bytes, 256 << 10); }
  std::unique_ptr<distributed::Transform> prepare(distributed::LocalProblem const& local,
                                                  bool all_threads) const override {
    cpu::Options options = options_;
    if (!all_threads) options.threads = 1;
    return std::make_unique<CpuTransform>(local, machine_, std::move(options));
  }
  void loop(Index count, std::function<void(int, Index, Index)> const& body) const override {
    cpu::parallel_for(count, cpu::Team(options_.threads, &options_.executor), body);
  }

 private:
  cpu::Options options_;
  Machine machine_;
};

/// For a rank: as many threads as are asked for, as the executor has, or its share of the node's cores.
inline cpu::Options rank_options(CpuSettings const& settings, Communicator const& c) {
  cpu::Options options = cpu_options(settings);
  if (options.threads == 0 && options.executor.run) options.threads = options.executor.threads;
  if (options.threads == 0)
    options.threads = std::max(1, cpu::cores() / std::max(1, std::min(c.size(), c.ranks_per_node())));
  return options;
}

}  // namespace skipper
