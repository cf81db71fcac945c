// Passes that keep the buffer in blocks, in f64.
#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<PassSet> const blocked_f64 =
    per_width<double>([]<class V>(VectorType<V>) { return pass_set<V, Blocked>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
