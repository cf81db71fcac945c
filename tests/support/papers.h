#pragma once
// The plans that the papers print, kept in tests/plan/papers in their own notation.
#include <string>
#include <vector>

#include "plan/program.h"

namespace skipper::testing {

struct PaperPlan {
  std::string name;    // of the file
  std::string sweeps;  // as printed
  int kernels = 0;     // pairs of braces
  Problem problem;
};

std::vector<PaperPlan> paper_plans();

}  // namespace skipper::testing
