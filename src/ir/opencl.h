#pragma once
// Prints a kernel as OpenCL C 1.2, of blocks by themselves: it has no clusters, and does not promise that one block goes on while
// another waits for it, as fused passes need. Parameters are arrays; those that a kernel does not use may be null.
#include "ir/kernel.h"

namespace skipper::ir {

/// Throws std::invalid_argument where the kernel takes what OpenCL has not.
std::string opencl(Kernel const& kernel);

}  // namespace skipper::ir
