// Short complex lines, in f64.
#include "cpu/variant/short_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerLineWidth<double, ShortPasses> const short_lines_f64 =
    per_line_width<double>([]<class V>(VectorType<V>) { return short_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
