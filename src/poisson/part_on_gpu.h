// The middle of a solve over ranks on a GPU, on a part of the array that the rank has whole along some axes: there
// along these, the spectrum divided by the symbol or eliminated along the tridiagonal axis, and back. The way back
// stores as any stage of a distributed transform does, into one array or by base addresses.
#pragma once

#include <memory>
#include <vector>

#include "distributed/gpu_run.h"
#include "distributed/owned.h"
#include "gpu/device.h"
#include "poisson/part_transforms.h"

namespace skipper::poisson {

/// A rank's GPU.
struct RankDevice {
  Index rank = 0;
  int device = 0;
  std::shared_ptr<distributed::Gpu> gpu;
};

/// The mean that a singular problem loses with its constant mode, which one part has: how it comes to the host.
class MeanOnGpu {
 public:
  explicit MeanOnGpu(std::shared_ptr<distributed::Gpu> gpu);

  /// In stream order: the number at `from`, a float or, where `wide`, a double, times a factor.
  void hand_over(void const* from, bool wide, double factor, distributed::GpuStream stream);
  /// What was handed over last, waited for.
  double value() const;

 private:
  std::shared_ptr<distributed::Gpu> gpu_;
  distributed::Owned host_;
  std::unique_ptr<distributed::GpuEvent> copied_;
  bool wide_ = false;
  double factor_ = 1;
};

/// What the parts of a rank share. `mean` is null where the problem loses none.
struct PartsOnGpu {
  PoissonProblem problem;
  SpreadProgram program;
  SpreadOperator matrix;
  RankDevice rank;
  std::shared_ptr<MeanOnGpu> mean;
};

/// Whether the part has the constant mode.
bool has_constant(SpreadOperator const& matrix, Box const& part);

/// As one fused inverse where there is one, else in steps.
std::unique_ptr<distributed::GpuTransform> part_on_gpu(PartsOnGpu const& all, Box const& part,
                                                       std::vector<Index> const& in_strides,
                                                       std::vector<Index> const& out_strides,
                                                       Index peer_unit);

}  // namespace skipper::poisson
