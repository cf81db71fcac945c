// The kernels of the golden H200 programs are traced, and valid. Of those whose arrays are not vast, what is traced gives in the
// interpreter what the kernel text gives in the emulator: with SKIPPER_QUICK=1 of a few.
#include <gtest/gtest.h>

#include <iostream>

#include "ir/check.h"
#include "support/goldens.h"
#include "support/quick.h"
#include "trace/both.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

constexpr Index vast = Index(128) << 20;  // bytes of both arrays

TEST(TracedGoldens, GiveTheEmulatorsBits) {
  Machine const h200 = machine("h200");
  int sweeps = 0, traced = 0, run = 0;
  for (Golden const& golden : goldens("h200"))
    for (int s = 0; s < int(golden.program.sweeps.size()); ++s) {
      SCOPED_TRACE(text(golden.program) + ", sweep " + std::to_string(s + 1));
      ++sweeps;
      LoweredSweep const sweep = lowered_sweep(golden.program, s, h200);
      try {
        if (sweep.in_bytes + sweep.out_bytes <= vast && takes(std::size_t(sweeps), 8)) {
          EXPECT_EQ(difference(sweep, std::uint64_t(sweeps)), "");
          ++run;
        } else {
          auto const faults =
              ir::faults(trace::trace(sweep.lowered.spec, sweep.is_double ? ir::Type::f64 : ir::Type::f32));
          EXPECT_TRUE(faults.empty()) << faults.front();
        }
        ++traced;
      } catch (std::exception const& error) {
        ADD_FAILURE() << error.what();
      }
    }
  std::cout << traced << " of " << sweeps << " sweeps are traced, " << run << " of these run\n";
  EXPECT_GE(traced, 430);
  EXPECT_GE(run, quick() ? 30 : 300);
}

}  // namespace
}  // namespace skipper::testing
