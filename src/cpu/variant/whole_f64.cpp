// Passes that do without a buffer, in f64.
#include "cpu/variant/whole_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerWidth<WholePasses> const whole_f64 =
    per_width<double>([]<class V>(Of<V>) { return whole_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
