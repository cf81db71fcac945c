// The golden programs of the A100, run under the emulator with every check.
#include "support/verify_goldens.h"

namespace skipper::testing {

TEST(GoldenPrograms, OfTheA100ComputeTheTransform) { verify_goldens("a100"); }

}  // namespace skipper::testing
