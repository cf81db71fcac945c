// The kernel that reads its spec when running, in double precision.
#include "emulator/emulator.h"

namespace skipper::emulator {

template Counts emulate(kernel::SweepSpec const&, Wide, Launch<double> const&, Checks, int, Wide);
template void run_sweep(kernel::SweepSpec const&, Wide, kernel::Args<double> const&, Wide);

}  // namespace skipper::emulator
