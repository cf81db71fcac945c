// What runs a plan, behind one interface. An Engine is the executor of one plan: it holds a cpu::Transform or a gpu::Transform,
// which know nothing of each other.
#pragma once

#include <skipper/plan.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/engine.h"

namespace skipper {

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::size_t workspace_bytes() const = 0;
  /// The pointers are not null, and the same exactly where the problem is in place.
  virtual void execute(void const* in, void* out, ExecuteSettings const& settings) const = 0;
  virtual std::string describe() const = 0;
  virtual std::vector<PlanTiming> plan_timings() const = 0;
};

/// The engine for a checked problem. Where the best device was asked for and it cannot do the problem, the CPU does,
/// and `settings` are then those of a plan for it.
std::unique_ptr<Engine const> make_engine(Problem const& problem, PlanSettings& settings);

/// What the CUDA engine is told of the settings. Throws Error for functions of the CPU.
gpu::Options gpu_options(PlanSettings const& settings);

/// 3 for "cuda:3", 0 for "cuda", nothing for other names.
std::optional<int> cuda_number(std::string_view name);

}  // namespace skipper
