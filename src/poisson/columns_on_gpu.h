// Poisson problems with a tridiagonal axis on a GPU: the transforms along the other axes, an elimination along each column
// (gpu/columns.h), and the transforms back. The spectrum has the swept axis as its slowest, wherever that was.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <string>

#include "gpu/side_streams.h"
#include "gpu/columns.h"
#include "gpu/engine.h"
#include "poisson/outside.h"

namespace skipper::poisson {

class ColumnsOnGpu {
 public:
  ColumnsOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);
  ~ColumnsOnGpu();

  std::size_t workspace_bytes() const;
  /// Returns the mean that f lost, 0 where it lost none.
  double solve(void const* f, void* phi, void* workspace, gpu::Stream stream) const;
  std::string describe() const;

 private:
  Outside all_;
  bool singular_;
  std::size_t spectrum_bytes_;
  gpu::Transform forward_, back_;
  gpu::Context context_;
  std::shared_ptr<gpu::Pool const> pool_;
  mutable gpu::SideStreams side_streams_;
  std::unique_ptr<gpu::Columns> columns_;
};

}  // namespace skipper::poisson
