#pragma once
// Prints a kernel as PTX, which the driver compiles by itself.
#include "ir/kernel.h"

namespace skipper::ir {

/// The architecture that the text is for: 80 is sm_80.
struct PtxTarget {
  int architecture = 90;
};

/// The oldest version of PTX that knows the architecture, and what kernels are made of: 80 is 8.0.
int ptx_version(PtxTarget target);

std::string ptx(Kernel const& kernel, PtxTarget target = {});

}  // namespace skipper::ir
