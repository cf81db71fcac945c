// The options that say where and how a transform runs, the same for every command that runs one.
#pragma once

#include <skipper/plan.h>

#include "args.h"

namespace skipper::cli {

// --device, --threads and --instruction-set.
std::vector<Option> device_options();

PlanSettings plan_settings_from(Args const& args);

}  // namespace skipper::cli
