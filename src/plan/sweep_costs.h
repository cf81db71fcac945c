// What sweeps cost lowered, each worked out once in a planning: programs of one problem have many sweeps in common, and to lower
// one takes longer than all else.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "plan/planner.h"

namespace skipper {

/// All its programs are of one problem. Machine and work must outlive it.
class SweepCosts {
 public:
  SweepCosts(Machine const& machine, PlanningWork& work) : machine_(machine), work_(work) {}

  /// lowered_sweep_cost(); nothing where no kernel can run the sweep. What is lowered for it is added to the work.
  std::optional<double> lowered(Program const& program, int s);

  /// program_cost() of a program.
  double total(Program const& program);

 private:
  Machine const& machine_;
  PlanningWork& work_;
  std::map<std::vector<Index>, std::optional<double>> known_;
};

}  // namespace skipper
