// Short real lines, in f32.
#include "cpu/variant/short_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerLineWidth<float, RealShortPasses> const short_real_lines_f32 =
    per_line_width<float>([]<class V>(VectorType<V>) { return real_short_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
