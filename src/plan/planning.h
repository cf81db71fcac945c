// The context of one planning: the machine, the options, the work done so far, and the costs of sweeps that are known.
#pragma once

#include "base/machine.h"
#include "plan/planner.h"
#include "plan/sweep_costs.h"

namespace skipper {

struct Planning {
  Machine const& machine;
  PlanOptions const& options;
  PlanningWork& work;
  SweepCosts& costs;
};

}  // namespace skipper
