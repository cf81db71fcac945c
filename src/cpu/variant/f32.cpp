// The kernels of this instruction set in f32. Compiled once per set, with its flags and -DSKIPPER_VARIANT=<name>.
#include "cpu/variant/make_kernels.h"

namespace skipper::cpu::SKIPPER_VARIANT {

extern Kernels const kernels_f32;
constinit Kernels const kernels_f32 =
    make_kernels<float>({planar_f32, blocked_f32, unbuffered_f32, short_lines_f32, short_real_lines_f32});

}  // namespace skipper::cpu::SKIPPER_VARIANT
