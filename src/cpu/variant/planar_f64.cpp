// Passes that keep the buffer in two planes, in f64.
#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<PassSet> const planar_f64 =
    per_width<double>([]<class V>(VectorType<V>) { return pass_set<V, Planar>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
