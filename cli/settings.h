// The options that say where and how a transform runs, the same for every command that runs one.
#pragma once

#include <skipper/plan.h>

#include <optional>
#include <string>

#include "args.h"

namespace skipper::cli {

struct DeviceOptions {
  std::optional<std::string> device;
  int threads = 0;
  std::string instruction_set;
};

// --device, --threads and --instruction-set.
void device_options(CLI::App& command, DeviceOptions& to);

// On the best device where none is given.
PlanSettings plan_settings_from(DeviceOptions const& options);

}  // namespace skipper::cli
