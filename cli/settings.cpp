// Where and how a transform runs, from the command line.
#include "settings.h"

namespace skipper::cli {

void device_options(CLI::App& command, DeviceOptions& to, std::string const& usual_device) {
  std::string const other = usual_device == "cpu" ? "best" : "cpu";
  add_text(command, "--device", "NAME", to.device, usual_device + " (default), " + other + ", cuda:0");
  add_integer(command, "--threads", "N", to.threads, {0, 4096},
              "threads of a CPU (default: one for each core)");
  add_text(command, "--instruction-set", "NAME", to.instruction_set,
           "of a CPU, out of `skipper info` (default: the best)");
}

PlanSettings plan_settings_from(DeviceOptions const& options, std::string const& usual_device) {
  PlanSettings settings;
  settings.device = Device(options.device.value_or(usual_device));
  settings.threads = options.threads;
  settings.host_arrays = HostArrays::staged;  // files and buffers of this program are in host memory
  settings.instruction_set = options.instruction_set;
  return settings;
}

}  // namespace skipper::cli
