// A CUDA device as the GPU of a rank.
#pragma once

#include <skipper/device.h>

#include <memory>
#include <optional>

#include "distributed/gpu_port.h"

namespace skipper {

/// The number of a CUDA device; nothing for a CPU.
std::optional<int> cuda_number(Device const& device);

std::shared_ptr<distributed::Gpu> cuda_rank(int device);

/// Bytes/s of a large copy on the device, read plus write.
double cuda_copy_bandwidth(int device);

}  // namespace skipper
