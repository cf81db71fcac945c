// Runs what computes on a device: on host arrays with a CPU, on copies of them with a GPU. The workspace holds not-a-number before,
// and so does the output in a GPU's memory.
#pragma once

#include <skipper/device.h>
#include <skipper/execute.h>

#include <cstddef>
#include <functional>
#include <memory>

#include "gpu.h"

namespace skipper::cli {

// In host memory; in place both are one.
struct InAndOut {
  void* in = nullptr;
  std::size_t in_bytes = 0;
  void* out = nullptr;
  std::size_t out_bytes = 0;
};

class DeviceRun {
 public:
  using Execute = std::function<void(void* in, void* out, ExecuteSettings const& settings)>;
  // Both arrays come back from a GPU, so that a kernel that writes to its input is seen as well.
  void operator()(Device const& device, InAndOut const& arrays, std::size_t workspace_bytes,
                  Execute const& execute);

 private:
  void on_gpu(InAndOut const& arrays, std::size_t workspace_bytes, Execute const& execute);

  std::unique_ptr<Cuda> cuda_;  // of the first GPU that was asked for
  int number_ = -1;
};

}  // namespace skipper::cli
