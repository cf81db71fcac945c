// From a recorded kernel to machine code: the driver compiles its PTX, for the device whose context is current. No compiler of the
// CUDA toolkit takes part.
#pragma once

#include <string>

#include "ir/kernel.h"

namespace skipper::gpu {

/// A cubin of the kernel. Several threads may compile at once. Throws Error with what the driver says.
std::string assembled(ir::Kernel const& kernel, std::string const& architecture);

}  // namespace skipper::gpu
