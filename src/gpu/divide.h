// Modes divided by a symbol on a device, as a kernel of its own (kernel/divide.h).
#pragma once

#include <vector>

#include "gpu/plain.h"

namespace skipper::gpu {

class Divide {
 public:
  /// The symbols of all dimensions, one after the other. In the context that is current.
  Divide(std::vector<double> const& symbols, bool complex, bool wide, int device);

  struct Dim {
    Index size = 1, first = 0;  // where the dimension's numbers begin
  };
  /// At most four dimensions, fastest first. Where the sum is zero, what is there goes to `constant_mode`, one number.
  void run(std::vector<Dim> const& dims, DevicePointer data, DevicePointer constant_mode,
           Stream stream) const;

 private:
  template <class V>
  void launch(std::vector<Dim> const& dims, DevicePointer data, DevicePointer constant_mode,
              Stream stream) const;

  bool complex_, wide_;
  Index zero_;  // where a number stands that is 0, for dimensions that are not there
  PlainKernel kernel_;
  Memory symbols_;
};

}  // namespace skipper::gpu
