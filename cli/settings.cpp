// Where and how a transform runs, from the command line.
#include "settings.h"

namespace skipper::cli {

std::vector<Option> device_options() {
  return {{"--device", "NAME", "best (default), cpu, cuda:0"},
          {"--threads", "N", "threads of a CPU (default: one for each core)"},
          {"--instruction-set", "NAME", "of a CPU, out of `skipper info` (default: the best)"}};
}

PlanSettings plan_settings_from(Args const& args) {
  PlanSettings settings;
  settings.device = Device(args.value_or("--device", "best"));
  settings.threads = int(args.integer_or("--threads", 0, 0, 4096));
  settings.host_arrays = HostArrays::staged;  // files and buffers of this program are in host memory
  settings.instruction_set = args.value_or("--instruction-set", "");
  settings.host_arrays = HostArrays::staged;  // a GPU works on the arrays of files and checks too
  return settings;
}

}  // namespace skipper::cli
