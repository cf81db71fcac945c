// What a rank's engine is asked to transform.
#pragma once

#include <skipper/problem.h>

#include "base/half_ends.h"

namespace skipper::distributed {

struct LocalProblem {
  Problem problem;
  HalfEnds halves = HalfEnds::both;  // where the problem is in f16
};

}  // namespace skipper::distributed
