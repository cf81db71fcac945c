// Exchanges two boxes in place (kernel/swap.h).
#pragma once

#include <vector>

#include "gpu/plain.h"

namespace skipper::gpu {

/// Strides count elements of either side.
struct SwapDim {
  Index size = 1, a = 0, b = 0;
};

class Swap {
 public:
  /// In the context that is current, whose device runs the kernel.
  Swap(bool complex, bool wide, int device);

  /// In stream order. The last dimension is of neighbours on both sides; there are at most five others. Throws Error where
  /// there are more.
  void run(std::vector<SwapDim> const& dims, DevicePointer a, DevicePointer b, Stream stream) const;

 private:
  template <class V>
  void launch(std::vector<SwapDim> const& dims, DevicePointer a, DevicePointer b, Stream stream) const;

  bool complex_, wide_;
  PlainKernel kernel_;
};

}  // namespace skipper::gpu
