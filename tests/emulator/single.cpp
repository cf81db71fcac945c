// The kernel that reads its spec when running, in single precision.
#include "emulator/emulator.h"

namespace skipper::emulator {

template Counts emulate(kernel::SweepSpec const&, Wide, Launch<float> const&, Checks, int, Wide);
template void run_sweep(kernel::SweepSpec const&, Wide, kernel::Args<float> const&, Wide);

}  // namespace skipper::emulator
