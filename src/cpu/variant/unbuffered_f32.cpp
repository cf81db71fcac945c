// Passes that do without a buffer, in f32.
#include "cpu/variant/unbuffered.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<UnbufferedPasses> const unbuffered_f32 =
    per_width<float>([]<class V>(VectorType<V>) { return unbuffered_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
