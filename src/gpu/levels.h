// A level taken off an array of reals on a device, and its largest magnitude (kernel/levels.h).
#pragma once

#include "gpu/plain.h"

namespace skipper::gpu {

class Levels {
 public:
  /// In the context that is current.
  Levels(bool wide, int device);

  /// to = from, less its own first number where `to_first`. Two arrays; in stream order.
  void lower(DevicePointer to, DevicePointer from, Index count, bool to_first, Stream stream) const;

  /// data -= level, in place and in stream order.
  void lower(DevicePointer data, Index count, double level, Stream stream) const;

  /// Waits for the stream.
  double largest(DevicePointer data, Index count, Pool const& pool, Stream stream) const;

 private:
  template <class T>
  double largest_of(DevicePointer data, Index count, Pool const& pool, Stream stream) const;

  bool wide_;
  PlainKernel lower_, largest_;
};

}  // namespace skipper::gpu
