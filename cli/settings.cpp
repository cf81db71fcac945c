// Where and how a transform runs, from the command line.
#include "settings.h"

namespace skipper::cli {

void device_options(CLI::App& command, DeviceOptions& to) {
  add_text(command, "--device", "NAME", to.device, "best (default), cpu, cuda:0");
  add_integer(command, "--threads", "N", to.threads, {0, 4096},
              "threads of a CPU (default: one for each core)");
  add_text(command, "--instruction-set", "NAME", to.instruction_set,
           "of a CPU, out of `skipper info` (default: the best)");
}

PlanSettings plan_settings_from(DeviceOptions const& options) {
  PlanSettings settings;
  settings.device = Device(options.device.value_or("best"));
  settings.cpu.threads = options.threads;
  settings.cpu.instruction_set = options.instruction_set;
  if (settings.device.is_best() || settings.device.name() != "cpu")
    settings.gpu.host_arrays = HostArrays::staged;  // files and buffers of this program are in host memory
  return settings;
}

}  // namespace skipper::cli
