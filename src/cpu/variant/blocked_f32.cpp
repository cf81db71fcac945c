// Passes that keep the buffer in blocks, in f32.
#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<PassSet> const blocked_f32 =
    per_width<float>([]<class V>(VectorType<V>) { return pass_set<V, Blocked>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
