// Executes a plan for Python: lets other threads of Python run meanwhile, and Ctrl-C end a long wait.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "cache.h"

namespace skipper::python {

// The objects that own the two arrays are held for as long as the execution goes on, also after Ctrl-C.
struct Owners {
  nanobind::handle in, out;
};
void run(std::shared_ptr<Planned const> const& planned, void const* in, void* out, Owners owners,
         ExecuteSettings const& settings = {});

}  // namespace skipper::python
