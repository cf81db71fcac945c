// The kernels of this instruction set in f64. Compiled once per set, with its flags and -DSKIPPER_VARIANT=<name>.
#include "cpu/variant/kernels_of.h"

namespace skipper::cpu::SKIPPER_VARIANT {

extern Kernels const kernels_f64;
constinit Kernels const kernels_f64 = kernels_of<double>();

}  // namespace skipper::cpu::SKIPPER_VARIANT
