// The middle of a solve over ranks on a GPU, on a part of the array that the rank has whole along some axes: there along these, the spectrum
// divided by the symbol or eliminated along the tridiagonal axis, and back. The way back stores as any stage of a distributed
// transform does, into one array or by base addresses.
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

/// The constant mode of a singular problem, which one part has: where it is left for the host.
class ConstantOnGpu {
 public:
  explicit ConstantOnGpu(std::shared_ptr<distributed::Gpu> gpu);

  void* device() const { return device_.memory(); }
  /// In stream order: what is there now goes to the host. A float, or a double where `wide`.
  void hand_over(bool wide, distributed::GpuStream stream);
  /// What was handed over last, waited for.
  double value() const;

 private:
  std::shared_ptr<distributed::Gpu> gpu_;
  distributed::Owned device_, host_;
  std::unique_ptr<distributed::GpuEvent> copied_;
  bool wide_ = false;
};

/// What the parts of a rank share. `constant` is null where the problem has none.
struct PartsOnGpu {
  SpreadProgram program;
  SpreadOperator matrix;
  RankDevice rank;
  std::shared_ptr<ConstantOnGpu> constant;
};

/// Whether the part has the constant mode.
bool has_constant(SpreadOperator const& matrix, Box const& part);

std::unique_ptr<distributed::GpuTransform> part_on_gpu(PartsOnGpu const& all, Box const& part,
                                                       std::vector<Index> const& in_strides,
                                                       std::vector<Index> const& out_strides,
                                                       Index peer_unit);

}  // namespace skipper::poisson
