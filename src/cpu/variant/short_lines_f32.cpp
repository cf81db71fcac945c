// Short complex lines, in f32.
#include "cpu/variant/short_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerLineWidth<float, ShortPasses> const short_lines_f32 =
    per_line_width<float>([]<class V>(VectorType<V>) { return short_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
