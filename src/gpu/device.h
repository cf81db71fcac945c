// Devices, their facts, and contexts. A plan works in the context that is current when it is made, where that is one
// of its device, and else in the device's primary context: the one that CUDA's runtime, PyTorch and others share.
#pragma once

#include <string>

#include "base/machine.h"
#include "gpu/driver.h"

namespace skipper::gpu {

/// How many devices there are; 0 with the reason where CUDA is not usable.
int device_count(std::string* reason = nullptr);

/// The device's own name, as its vendor prints it.
std::string device_title(int device);

/// The machine that a device's facts make it (gpu/facts.h), worked out once.
Machine const& device_machine(int device);

/// Whether memory can be allocated in stream order.
bool has_pools(int device);

/// The context for a new plan on the device.
Context context_for(int device);

/// Makes a context current until the end of the scope.
class Current {
 public:
  explicit Current(Context context);
  ~Current();
  Current(Current const&) = delete;
  Current& operator=(Current const&) = delete;

 private:
  bool pushed_ = false;
};

/// Allows the calling thread driver calls, while plans are made and destroyed, that a stream capture elsewhere in the process forbids.
class Unwatched {
 public:
  Unwatched() { driver()->exchange_capture_mode(&mode_); }
  ~Unwatched() { driver()->exchange_capture_mode(&mode_); }
  Unwatched(Unwatched const&) = delete;
  Unwatched& operator=(Unwatched const&) = delete;

 private:
  int mode_ = relaxed;
};

}  // namespace skipper::gpu
