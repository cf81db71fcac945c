// Numbers added to one layer of an array on a device (kernel/faces.h).
#pragma once

#include "gpu/plain.h"

namespace skipper::gpu {

/// [outer][inner] numbers of an array, `pitch` numbers from one outer index to the next.
struct Layer {
  Index outer = 1, inner = 1, pitch = 1;
};

class AddFace {
 public:
  /// In the context that is current.
  AddFace(bool wide, int device);

  /// In stream order. `data`: the layer's first number; `values`: dense.
  void run(Layer const& layer, DevicePointer data, DevicePointer values, Stream stream) const;

 private:
  bool wide_;
  PlainKernel kernel_;
};

}  // namespace skipper::gpu
