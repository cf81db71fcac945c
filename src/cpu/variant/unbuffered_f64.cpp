// Passes that do without a buffer, in f64.
#include "cpu/variant/unbuffered.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<UnbufferedPasses> const unbuffered_f64 =
    per_width<double>([]<class V>(VectorType<V>) { return unbuffered_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
