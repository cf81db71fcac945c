// One planning: what it is for, what it has done so far, and what it knows of sweeps already.
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
