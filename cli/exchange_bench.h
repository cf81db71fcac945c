// A transform over several GPUs of one process, on arrays of noise: whether its result is right, and what it takes.
#pragma once

#include <skipper/distributed.h>

#include <memory>
#include <vector>

#include "gpu.h"

namespace skipper::cli {

/// Arrays of all ranks on their devices, and a stream for each.
class ExchangeBench {
 public:
  ExchangeBench(Problem const& problem, std::vector<Device> const& devices);

  /// Seconds of an execution, the median. Throws Error where the result is wrong.
  double seconds(DistributedPlan const& plan, int repeats);

 private:
  struct Input;
  std::vector<Input> inputs(DistributedPlan const& plan) const;
  std::vector<RankArrays> arrays_of(DistributedPlan const& plan, std::vector<Input> const& inputs);
  void demand_right(DistributedPlan const& plan, std::vector<Input> const& inputs,
                    std::vector<RankArrays> const& arrays);
  double sample(DistributedPlan const& plan, std::vector<RankArrays> const& arrays);

  Problem problem_;
  std::vector<std::unique_ptr<Cuda>> ranks_;
};

}  // namespace skipper::cli
