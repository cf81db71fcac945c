// The CUDA engine: plans a problem for the device at hand, compiles its sweeps, keeps their twiddle tables on the
// device, and launches them on the caller's stream. `execute` decides and allocates nothing when workspace is given.
#pragma once

#include <skipper/problem.h>

#include <memory>
#include <string>

#include "base/machine.h"
#include "gpu/driver.h"
#include "plan/planner.h"

namespace skipper::gpu {

/// How many devices there are; 0 with the reason where CUDA is not usable.
int device_count(std::string* reason = nullptr);
/// Facts of a device, read once. Its name is the preset's where we know the device.
Machine device_machine(int device);

class Transform {
 public:
  Transform(Problem const& problem, int device, PlanOptions options = {.clusters = false, .chunks = false});
  /// Runs a given program.
  Transform(Program const& program, int device);
  std::size_t workspace_bytes() const;
  /// Device pointers. `workspace` may be null where workspace_bytes() is 0; otherwise null makes the transform use a
  /// workspace of its own, which then serves one execution at a time in stream order.
  void execute(void const* in, void* out, void* workspace = nullptr, Stream stream = nullptr) const;
  std::string describe() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper::gpu
