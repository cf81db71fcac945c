// What a plan does to compute a problem, in words: its mechanisms, each alone and crossed with what makes it awkward. Of a GPU they
// follow from the program and the specs of its sweeps, which need no device; of a CPU from the text of its schedule.
#pragma once

#include <skipper/problem.h>

#include <set>
#include <string>
#include <vector>

#include "base/machine.h"
#include "kernel/spec.h"
#include "plan/program.h"

namespace skipper::coverage {

/// A mechanism, and what it was met with; `with` is empty for the mechanism by itself.
struct Use {
  std::string mechanism, with;
  auto operator<=>(Use const&) const = default;
};
using Uses = std::set<Use>;

/// A program with the spec of each of its sweeps, as the CUDA engine runs it.
struct LoweredProgram {
  Program program;
  std::vector<kernel::SweepSpec> specs;
};
/// Throws Error where the problem cannot be planned for the machine.
LoweredProgram lowered_program(Problem const& problem, Machine const& machine);

Uses uses_of(LoweredProgram const& lowered);
/// `schedule`: what a plan on a CPU says of itself (Plan::describe()).
Uses uses_of(Problem const& problem, std::string const& schedule);

/// All that there are, in the order of a table: rows, and columns. Those of `problems` follow from the problem and are not crossed.
struct Vocabulary {
  std::vector<std::string> mechanisms, problems, with;
};
Vocabulary gpu_vocabulary();
Vocabulary cpu_vocabulary();

}  // namespace skipper::coverage
