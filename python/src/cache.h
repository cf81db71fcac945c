// The plans that the functions keep: at most so many, the least recently used goes first. Any thread may ask.
#pragma once

#include <skipper/plan.h>

#include <cstddef>
#include <memory>

#include "request.h"

namespace skipper::python {

// A plan and what its execution is decided by.
struct Planned {
  Plan plan;
  std::int64_t bytes;  // of both sides
  int device;          // as Request's
};

std::shared_ptr<Planned const> make_planned(Request const& request);

// The plan of a request, made where it is not kept yet (without Python's lock, which the caller holds).
std::shared_ptr<Planned const> planned(Request const& request);

}  // namespace skipper::python
