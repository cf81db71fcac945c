// The bandwidth of a device's memory, measured: for devices whose driver does not tell clock and width.
#pragma once

#include "gpu/facts.h"

namespace skipper::gpu {

/// Bytes/s of a copy within the device, read plus write, to two digits, so that one run finds what another did. It is measured
/// once and cached with the kernels, for the same device under the same driver. 0 where there is no room for it.
double measured_bandwidth(int device, DeviceFacts const& facts);

}  // namespace skipper::gpu
