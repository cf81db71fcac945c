// The kernels of this instruction set in f32. Compiled once per set, with its flags and -DSKIPPER_VARIANT=<name>.
#include "cpu/variant/kernels_of.h"

namespace skipper::cpu::SKIPPER_VARIANT {

extern Kernels const kernels_f32;
constinit Kernels const kernels_f32 =
    kernels_of<float>({planes_f32, blocked_f32, whole_f32, lines_f32, real_lines_f32});

}  // namespace skipper::cpu::SKIPPER_VARIANT
