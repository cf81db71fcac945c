// The device of a rank, and a plan's arrays there: on a CPU the host's own, on a GPU copies.
#pragma once

#include <skipper/distributed.h>

#include <memory>

#include "gpu.h"
#include "ranks.h"
#include "settings.h"

namespace skipper::cli {

// Of rank r the r-th of --devices, counted round; else --device, else the CPU.
Device device_of_rank(DeviceOptions const& device, RankOptions const& ranks, int rank);

class RankMemory {
 public:
  // Of the device that the plan was made for. `out` is `in` where the plan is in place.
  RankMemory(Device const& device, void const* in, std::size_t in_bytes, void* out, std::size_t out_bytes);

  void put();                                 // the input to the device
  void execute(DistributedPlan const& plan);  // waits until it is done
  std::vector<StageTimes> execute_timed(DistributedPlan const& plan);
  void get();  // the output back

 private:
  std::unique_ptr<Cuda> cuda_;
  void const* host_in_;
  void* host_out_;
  std::size_t in_bytes_, out_bytes_;
  void const* in_;
  void* out_;
};

}  // namespace skipper::cli
