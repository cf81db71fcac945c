// Poisson problems on a GPU as three steps in the plainest sense: the transforms along all axes, a division by the symbol,
// which is summed in double, and the transforms back. For what no fused inverse does: one axis alone that is not periodic, few
// periodic axes with spectral symbols or a positive shift, and lengths that only whole programs transform.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <string>

#include "gpu/divide.h"
#include "gpu/side_streams.h"
#include "gpu/engine.h"

namespace skipper::poisson {

class StepsOnGpu {
 public:
  StepsOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);
  ~StepsOnGpu();

  std::size_t workspace_bytes() const;
  /// Returns the mean that f lost, 0 where it lost none.
  double solve(void const* f, void* phi, void* workspace, gpu::Stream stream) const;
  std::string describe() const;

 private:
  Problem there_, back_problem_;
  bool singular_, complex_, wide_;
  double gain_;
  gpu::Transform forward_, back_;
  std::vector<gpu::Divide::Dim> dims_;  // fastest first
  gpu::Context context_;
  std::shared_ptr<gpu::Pool const> pool_;
  mutable gpu::SideStreams side_streams_;
  std::unique_ptr<gpu::Divide> divide_;
};

}  // namespace skipper::poisson
