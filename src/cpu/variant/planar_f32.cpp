// Passes that keep the buffer in two planes, in f32.
#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<PassSet> const planar_f32 =
    per_width<float>([]<class V>(VectorType<V>) { return pass_set<V, Planar>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
