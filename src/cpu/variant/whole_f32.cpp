// Passes that do without a buffer, in f32.
#include "cpu/variant/whole_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<WholePasses> const whole_f32 =
    per_width<float>([]<class V>(Of<V>) { return whole_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
