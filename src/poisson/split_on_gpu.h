// Poisson problems on a GPU in three plans: the transforms of all axes but one there and back, which go L2 block by L2 block
// through L2 where the problem is large, and a fused inverse along that one axis, the middle, between them. The middle axis is
// periodic, or cell-centred with two Neumann or two Dirichlet ends.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <optional>
#include <string>

#include "gpu/side_streams.h"
#include "gpu/engine.h"
#include "poisson/outside.h"

namespace skipper::poisson {

class SplitOnGpu {
 public:
  struct Choice {
    std::size_t middle = 0;
    double cost = 0;  // x copy, estimated
  };
  /// The middle axis that costs least; nothing where there is none, or all others are without a period.
  static std::optional<Choice> choice(PoissonProblem const& problem, Machine const& machine);

  SplitOnGpu(PoissonProblem const& problem, std::size_t middle, int device, gpu::Options const& options);

  std::size_t workspace_bytes() const;
  /// Returns the mean that f lost, 0 where it lost none; the transforms back may still run then.
  double solve(void const* f, void* phi, void* workspace = nullptr, gpu::Stream stream = nullptr) const;
  std::string describe() const;

 private:
  std::size_t outer_bytes() const;

  Outside all_;
  bool singular_;
  double gain_;
  Factors factors_;
  gpu::Transform forward_, middle_, back_;
  gpu::Context context_;
  std::shared_ptr<gpu::Pool const> pool_;
  mutable gpu::SideStreams side_streams_;
};

}  // namespace skipper::poisson
