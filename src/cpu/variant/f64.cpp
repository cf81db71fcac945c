// The kernels of this instruction set in f64. Compiled once per set, with its flags and -DSKIPPER_VARIANT=<name>.
#include "cpu/variant/make_kernels.h"

namespace skipper::cpu::SKIPPER_VARIANT {

extern Kernels const kernels_f64;
constinit Kernels const kernels_f64 =
    make_kernels<double>({planar_f64, blocked_f64, unbuffered_f64, short_lines_f64, short_real_lines_f64});

}  // namespace skipper::cpu::SKIPPER_VARIANT
