// The machine code of a prepared program's kernels: traced, and compiled by the driver side by side, or fetched from the cache on disk,
// where kernels are by all that went into them.
#pragma once

#include <vector>

#include "gpu/driver.h"
#include "gpu/jit.h"
#include "gpu/prepare.h"
#include "trace/plain.h"

namespace skipper::gpu {

/// Whether kernels are traced, so that only functions of a user take NVRTC: where SKIPPER_TRACED says so, until that has been measured
/// on a GPU.
bool are_kernels_traced();

struct SweepKernels {
  Kernel kernel;    // of two fused sweeps the first has both, the last none
  Kernel deferred;  // what the second launch of two fused sweeps runs; else empty
};

/// The kernels of all sweeps, for the device of the context.
std::vector<SweepKernels> compiled(Prepared const& prepared, std::string const& architecture, Context context,
                                   Residency const& residency);

/// A kernel that is no sweep, for the device whose context is current.
Kernel compiled(trace::PlainKernel kernel, bool is_complex, bool is_wide, std::string const& architecture);

}  // namespace skipper::gpu
