// Poisson problems on a GPU. Without a tridiagonal axis: transforms there, the division by the symbol, and back, as a joint
// (plan/joint.h), which is three sweeps where two or three axes are periodic; where that takes less, in three plans:
// split_on_gpu.h. With a tridiagonal axis, or too few periodic ones for a joint: columns_on_gpu.h.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/engine.h"
#include "poisson/columns_on_gpu.h"
#include "poisson/split_on_gpu.h"

namespace skipper::poisson {

class OnGpu {
 public:
  /// Throws Error for what a GPU does not solve: one axis alone that is not periodic, less than two periodic ones beside others
  /// with spectral symbols or a positive shift, and zero modes that are not zero_mean.
  OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);
  ~OnGpu();

  /// On the default stream; waits for the end where there is a defect to return. The arrays are the plan's, as any.
  PoissonResult solve(void const* f, void* phi) const;

  /// With values on the boundaries. The first such call makes the kernels for it.
  template <class T>
  PoissonResult solve(T const* f, T* phi, std::vector<Faces<T>> const& faces) const;
  std::string describe() const;

 private:
  struct WithFaces;
  WithFaces& with_faces() const;

  PoissonProblem problem_;
  int device_;
  gpu::Options options_;
  std::optional<gpu::Transform> joint_;
  std::unique_ptr<ColumnsOnGpu> columns_;
  std::unique_ptr<SplitOnGpu> split_;
  bool singular_;
  double gain_;  // of the transforms, so of the mean in mode 0
  mutable std::mutex mutex_;
  mutable std::unique_ptr<WithFaces> with_faces_;
};

}  // namespace skipper::poisson
