// The program that a tuning file has for a problem, with a word on why one was not used.
#pragma once

#include <skipper/plan.h>

#include <optional>
#include <string>

#include "base/machine.h"
#include "plan/program.h"

namespace skipper {

struct Tuned {
  std::optional<Program> program;
  std::string note;      // one line for Plan::describe(), or empty
  std::string file;      // that the program is from
  bool demanded = true;  // the program must run; else the planner's does where it cannot
};

/// Looks into the file that the settings or SKIPPER_TUNING name, which must then be readable and for this machine and
/// version, else Error; or into the usual one, of which a mismatch is only noted.
Tuned tuned(Problem const& problem, GpuSettings const& settings, Machine const& machine);

}  // namespace skipper
