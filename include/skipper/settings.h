// Settings that are for one sort of device. A plan for the "best" device takes those of the device it gets and does not look at the
// others. Where a device is named, settings of the other sort that are not the defaults are an Error.
#pragma once

#include <skipper/executor.h>

#include <string>

namespace skipper {

struct CpuSettings {
  int threads = 0;                   // 0: those of the executor, or one for each core
  Executor executor = {};            // who runs them; empty: the default one (executor.h)
  std::string instruction_set = {};  // out of devices(); empty: the best that the CPU has
};

// What a plan on a GPU does with arrays in host memory. staged: it copies them to the device and back, and execute()
// returns when the output is there. by_device: staged where the device was asked for as "best", else refused.
enum class HostArrays { by_device, refused, staged };

struct GpuSettings {
  HostArrays host_arrays = HostArrays::by_device;
  std::string program =
      {};  // what to run, as text that planning.h gives; empty: what the planner chooses. Plans only
  std::string tuning =
      {};  // the file to read tuned programs from; empty: the usual one (tuning.h). Plans only
};

}  // namespace skipper
