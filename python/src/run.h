// Executes a plan for Python: lets other threads of Python run meanwhile, and Ctrl-C end a long wait.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>

#include "cache.h"

namespace skipper::python {

// The objects that own the two arrays are held for as long as the execution goes on, also after Ctrl-C.
struct Owners {
  nanobind::handle in, out;
};
void run(std::shared_ptr<Planned const> const& planned, void const* in, void* out, Owners owners,
         ExecuteSettings const& settings = {});

// The same of other work on a CPU: on a thread of its own where arrays have so many bytes that Ctrl-C must not wait for its end.
// What it refers to must live as long as it does.
void run_work(std::function<void()> const& work, std::int64_t bytes, Owners owners);

}  // namespace skipper::python
