// Short real lines, in f64.
#include "cpu/variant/short_lines.h"

namespace skipper::cpu::SKIPPER_VARIANT {

constinit PerLineWidth<double, RealShortPasses> const short_real_lines_f64 =
    per_line_width<double>([]<class V>(VectorType<V>) { return real_short_passes<V>(); });

}  // namespace skipper::cpu::SKIPPER_VARIANT
