// The golden programs of the H200, run under the emulator with every check.
#include "support/verify_goldens.h"

namespace skipper::testing {

TEST(GoldenPrograms, OfTheH200ComputeTheTransform) { verify_goldens("h200"); }

}  // namespace skipper::testing
