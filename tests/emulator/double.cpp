// The kernel that reads its spec when running, in double precision.
#include "emulator/concurrent.h"

namespace skipper::emulator {

template Counts emulate(kernel::SweepSpec const&, Wide, Launch<double> const&, Checks, int, Wide);
template void run_sweep(kernel::SweepSpec const&, Wide, kernel::Args<double> const&, Wide);
template void run_pair(kernel::SweepSpec const&, kernel::SweepSpec const&, kernel::FusedArgs<double> const&,
                       Wide, Schedule const&);

}  // namespace skipper::emulator
