// The object behind a cufftHandle: a caller's settings and, once it is made, the Skipper plans that its executions need.
// Which these are shows only when it is executed: forward or inverse, in place or not. The forward transform of two arrays
// (of c2r the inverse one) is made with the plan, others when they are first asked for; the property PATIENT_JIT makes them
// all at once. Skipper makes plans also while a stream is captured. Whoever calls has locked the handle (handles.h).
#pragma once

#include <skipper/plan.h>

#include <array>
#include <cstddef>
#include <optional>

#include "call.h"
#include "driver.h"

namespace skipper::cufft {

class PlanBody {
 public:
  // What the caller sets.
  Stream stream = nullptr;
  bool allocates = true;       // the work area, when it is made
  void* given_area = nullptr;  // the caller's own
  long long patient_jit = 0;   // the property; above 0 all variants are made at once

  bool is_made() const { return made_; }
  Elements elements() const { return call_.elements; }
  std::size_t work_bytes() const { return work_bytes_; }

  /// Once. Throws Error, or what Skipper throws.
  cufftResult make(Call const& call);

  /// Enqueues on the stream. Allocates nothing on the host but for a plan that was not needed before; on the device only,
  /// in stream order, for arrays that must be staged. The direction is looked at where the kind has two.
  cufftResult execute(void const* in, void* out, Direction direction);

 private:
  struct Variant {
    std::optional<Plan> plan;
    std::size_t bytes = 0;
    bool refused = false;  // there is none
  };
  /// Null where Skipper has none: of a plan that can be executed, only of arrays that are together.
  Variant const* variant(Direction direction, Arrays arrays);
  Variant const& make_variant(Variant& variant, Direction direction, Arrays arrays);
  void run(Variant const& variant, void const* in, void* out) const;
  cufftResult execute_staged(void const* in, void* out, Direction direction);
  void* work_area() const { return given_area ? given_area : own_area_.at(); }

  bool made_ = false;
  Call call_;
  int made_for_ = 0;  // device
  Index alignment_ = 8;
  std::size_t work_bytes_ = 0;
  DeviceMemory own_area_;
  std::array<std::array<Variant, 3>, 2> variants_;  // [direction][arrays]
};

/// The work area that a plan of the call would need on a device; made for it and dropped, so that a plan of it is then
/// found in Skipper's caches.
std::size_t needed_bytes(Call const& call, int device);

}  // namespace skipper::cufft
