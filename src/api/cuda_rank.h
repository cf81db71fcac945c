// A CUDA device as the GPU of a rank.
#pragma once

#include <skipper/device.h>

#include <memory>
#include <optional>
#include <vector>

#include "distributed/gpu_port.h"

namespace skipper {

/// The number of a CUDA device; nothing for a CPU.
std::optional<int> cuda_number(Device const& device);

std::shared_ptr<distributed::Gpu> cuda_rank(int device);

/// The numbers of the GPUs that ranks of one process have. Throws Error where there are none, too many, or others than GPUs.
std::vector<int> cuda_numbers(std::vector<Device> const& devices);

/// Bytes/s of a large copy on the device, read plus write; of several, on the slowest.
double cuda_copy_bandwidth(int device);
double cuda_copy_bandwidth(std::vector<int> const& devices);

}  // namespace skipper
