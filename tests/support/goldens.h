#pragma once
// The golden programs: what the planner chooses for a list of problems on a machine, kept in tests/plan/golden.
#include <string>
#include <vector>

#include "plan/program.h"

namespace skipper::testing {

struct Golden {
  Problem problem;
  Program program;
};

/// The programs kept for a machine, parsed. Throws where the file is missing or does not parse.
std::vector<Golden> goldens(std::string const& machine);

/// The problems of the list, in order.
std::vector<Problem> golden_problems();

std::string golden_path(std::string const& name);
/// One entry of a golden file: the choice, without its predicted cost, which changes with every constant of the model.
std::string golden_text(Program const& program);

}  // namespace skipper::testing
