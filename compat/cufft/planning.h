// What all planner calls come down to: arguments in the order in which cuFFT checks them, then a plan or its size.
#pragma once

#include <optional>

#include "call.h"
#include "driver.h"
#include "handles.h"
#include "log.h"

namespace skipper::cufft {

/// A planner call as it comes in: T is int, or long long where sizes have 64 bits.
template <class T>
struct Request {
  int rank = 1;
  T const* shape = nullptr;
  Layout<T> layout = {};
  std::optional<Elements> elements;
  T batch = 1;
  std::size_t* bytes = nullptr;  // where the size of the work area goes
};

/// Of those that need no plan.
template <class T>
cufftResult check(Request<T> const& request) {
  if (!request.elements) return CUFFT_INVALID_TYPE;
  bool const sound = request.bytes && request.shape && request.rank >= 1 && request.rank <= 3;
  return sound ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

template <class T>
cufftResult fill(Call& call, Request<T> const& request) {
  call.elements = *request.elements;
  return fill(call, request.rank, request.shape, request.layout, request.batch);
}

/// Makes the plan of a handle.
template <class T>
cufftResult make(cufftHandle handle, Request<T> const& request) {
  if (cufftResult const result = check(request)) return result;
  LockedPlan const plan(handle);
  if (!plan || plan->is_made()) return CUFFT_INVALID_PLAN;
  Call call;
  if (cufftResult const result = fill(call, request)) return result;
  if (cufftResult const result = plan->make(call)) return result;
  *request.bytes = plan->work_bytes();
  if (logs())
    log("plan %d is %s, with a work area of %zu bytes", handle, text(call).c_str(), plan->work_bytes());
  return CUFFT_SUCCESS;
}

/// The size alone, for a handle.
template <class T>
cufftResult size(cufftHandle handle, Request<T> const& request) {
  if (cufftResult const result = check(request)) return result;
  LockedPlan const plan(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  Call call;
  if (cufftResult const result = fill(call, request)) return result;
  *request.bytes = needed_bytes(call, current_device());
  return CUFFT_SUCCESS;
}

/// The size alone, without a handle.
template <class T>
cufftResult estimate(Request<T> const& request) {
  if (!driver()) return CUFFT_INTERNAL_ERROR;
  if (cufftResult const result = check(request)) return result;
  Call call;
  if (cufftResult const result = fill(call, request)) return result;
  *request.bytes = needed_bytes(call, current_device());
  return CUFFT_SUCCESS;
}

}  // namespace skipper::cufft
