// The table of plans by their handles. Finding one is two loads and a lock of its own, so that threads with different plans
// do not meet. A handle counts how often its place was used: one that was destroyed is noticed, not followed.
#pragma once

#include <memory>
#include <mutex>

#include "plan.h"

namespace skipper::cufft {

/// A place in the table.
struct Place {
  std::mutex mutex;
  unsigned generation = 0;
  std::unique_ptr<PlanBody> plan;  // null where the place is free
};

/// A plan for the time of a call: nobody else changes, executes or destroys it.
class LockedPlan {
 public:
  /// Empty where the handle is none of a living plan.
  explicit LockedPlan(cufftHandle handle) noexcept;
  explicit operator bool() const { return plan_ != nullptr; }
  PlanBody* operator->() const { return plan_; }

 private:
  std::unique_lock<std::mutex> lock_;
  PlanBody* plan_ = nullptr;
};

/// A handle of a new plan that is still to be made; CUFFT_PLAN_NULL where the table is full. Throws std::bad_alloc.
cufftHandle add_plan();

/// False where there was none. Waits for calls that use it, and for what it has enqueued.
bool remove_plan(cufftHandle handle) noexcept;

}  // namespace skipper::cufft
