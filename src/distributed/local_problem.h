// The problem that a rank's engine transforms.
#pragma once

#include <skipper/problem.h>

#include "base/narrow_sides.h"

namespace skipper::distributed {

struct LocalProblem {
  Problem problem;
  NarrowSides narrow = NarrowSides::both;  // where the problem is in f16 or bf16
};

}  // namespace skipper::distributed
