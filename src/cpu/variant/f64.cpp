// The kernels of this instruction set in f64. Compiled once per set, with its flags and -DSKIPPER_VARIANT=<name>.
#include "cpu/variant/kernels_of.h"

namespace skipper::cpu::SKIPPER_VARIANT {

extern Kernels const kernels_f64;
constinit Kernels const kernels_f64 =
    kernels_of<double>({planes_f64, blocked_f64, whole_f64, lines_f64, real_lines_f64});

}  // namespace skipper::cpu::SKIPPER_VARIANT
