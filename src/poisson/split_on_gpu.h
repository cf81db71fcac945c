// Poisson problems on a GPU that are larger than L2: the transforms of two axes there and back as plans of their own, which
// go chunk by chunk through L2, and a joint along the third axis alone between them.
#pragma once

#include <skipper/poisson.h>

#include <complex>
#include <memory>
#include <optional>
#include <string>

#include "gpu/engine.h"
#include "poisson/outside.h"

namespace skipper::poisson {

class SplitOnGpu {
 public:
  /// The axis for the joint: the slowest that is periodic. Nothing where there are not three axes, or no other is periodic.
  static std::optional<std::size_t> middle_of(PoissonProblem const& problem);

  /// x copy, estimated.
  static double cost(PoissonProblem const& problem, Machine const& machine);

  SplitOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);

  /// On the default stream. Returns the constant mode where that is undetermined.
  std::complex<double> solve(void const* f, void* phi) const;
  std::string describe() const { return forward_.describe() + middle_.describe() + back_.describe(); }

 private:
  Outside all_;
  bool singular_;
  gpu::Transform forward_, middle_, back_;
  gpu::Context context_;
  std::shared_ptr<gpu::Pool const> pool_;
};

}  // namespace skipper::poisson
