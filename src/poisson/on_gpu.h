// Poisson problems on a GPU, all of them. Transforms there, the division by the symbol, and back: as a fused inverse
// (plan/fused_inverse.h) where two or three axes are periodic; where that takes less, in three plans: split_on_gpu.h. With a
// tridiagonal axis, or too few periodic ones for a fused inverse: columns_on_gpu.h. What is left: steps_on_gpu.h.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/engine.h"
#include "gpu/levels.h"
#include "poisson/columns_on_gpu.h"
#include "poisson/split_on_gpu.h"
#include "poisson/steps_on_gpu.h"

namespace skipper::poisson {

class OnGpu {
 public:
  /// Throws Error for f16 and bf16, and where a positive shift meets an eigenvalue.
  OnGpu(PoissonProblem const& problem, int device, gpu::Options const& options);
  ~OnGpu();

  std::size_t workspace_bytes() const;

  /// Waits for the defect where there is one to return, not for phi. The arrays are the plan's, as any. The first call with
  /// values on the boundaries makes the kernels for it, and such calls may take memory of the pool beside the workspace.
  template <class T>
  PoissonResult solve(T const* f, T* phi, std::vector<Faces<T>> const& faces,
                      ExecuteSettings const& settings) const;
  std::string describe() const;

 private:
  struct WithFaces;
  WithFaces& with_faces() const;
  void choose_way();
  std::size_t way_bytes() const;
  std::size_t apart_bytes() const;
  double solved(void const* f, void* phi, ExecuteSettings const& settings) const;
  template <class T>
  double solved_apart(T const* f, T* phi, double largest, ExecuteSettings const& settings) const;
  /// largest: of what is added to f as it is loaded.
  template <class T>
  PoissonResult solve(T const* f, T* phi, double largest, ExecuteSettings const& settings) const;

  PoissonProblem problem_;
  int device_;
  gpu::Options options_;
  std::optional<gpu::Transform> fused_inverse_;
  std::unique_ptr<ColumnsOnGpu> columns_;
  std::unique_ptr<SplitOnGpu> split_;
  std::unique_ptr<StepsOnGpu> steps_;
  std::unique_ptr<gpu::Levels> levels_;  // where the mean of phi is not to be zero, or that of f must be
  bool singular_;
  double gain_;  // of the transforms, so of the mean in mode 0
  gpu::Context context_;
  std::shared_ptr<gpu::Pool const> pool_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<WithFaces> with_faces_;
};

}  // namespace skipper::poisson
