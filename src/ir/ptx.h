#pragma once
// Prints a kernel as PTX, which the driver compiles by itself.
#include "ir/kernel.h"

namespace skipper::ir {

/// The architecture that the text is for: 80 is sm_80.
struct PtxTarget {
  int architecture = 90;
};

/// What the text says that it needs: the newest architecture up to the target of those that bring something, which every later one
/// can run, and the oldest version of PTX that knows it and what kernels are made of: 80 is 8.0.
struct PtxLevel {
  int architecture = 90, version = 80;
};
PtxLevel ptx_level(PtxTarget target);

std::string ptx(Kernel const& kernel, PtxTarget target = {});

}  // namespace skipper::ir
