// The golden programs that the A100 does not share with the H200, run under the emulator with every check.
#include "support/verify_goldens.h"

namespace skipper::testing {

TEST(GoldenPrograms, OfTheA100ComputeTheTransform) { verify_goldens("a100", "h200"); }

}  // namespace skipper::testing
