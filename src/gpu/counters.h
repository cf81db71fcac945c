// Counters on the device of kernels whose blocks wait for each other, and which leave them zero as they found them.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "gpu/memory.h"

namespace skipper::gpu {

class Counters {
 public:
  /// Of so many bytes each, a multiple of 256. The context must be current here, at the end and in of().
  explicit Counters(std::size_t bytes) : bytes_(bytes) {}

  /// Those of the array that stands between a call's sweeps: calls that share one never run at once, others may.
  DevicePointer of(DevicePointer between);

 private:
  std::size_t bytes_;
  std::mutex mutex_;
  std::vector<Memory> pages_;
  std::map<DevicePointer, DevicePointer> known_;
};

}  // namespace skipper::gpu
