// Poisson problems on a GPU: transforms there, the product with one over the symbol, and back, as a joint (plan/joint.h). That
// is three sweeps where two or three axes are periodic.
#pragma once

#include <skipper/poisson.h>

#include <optional>
#include <string>

#include "gpu/engine.h"

namespace skipper::poisson {

class OnGpu {
 public:
  /// Throws Error for what a GPU does not solve: tridiagonal axes, less than two periodic ones beside others, and zero
  /// modes that are not zero_mean.
  OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);

  /// On the default stream; waits for the mean of f where that is the defect. The arrays are the plan's, as any.
  PoissonResult solve(void const* f, void* phi) const;
  std::string describe() const { return solver_.describe(); }

 private:
  Index points_ = 1;
  gpu::Transform solver_;
  std::optional<gpu::Transform> sums_;  // of rows of f, where its mean is wanted
  Index rows_ = 0;
  bool wide_ = false;
};

}  // namespace skipper::poisson
