// The kernels of the golden H200 programs: what is traced of them gives in the interpreter what their text gives in the emulator.
#include <gtest/gtest.h>

#include <iostream>

#include "support/goldens.h"
#include "support/quick.h"
#include "trace/both.h"

namespace skipper::testing {
namespace {

TEST(TracedGoldens, GiveTheEmulatorsBits) {
  Machine const m = machine("h200");
  int traced = 0, run = 0, out_of_scope = 0;
  for (Golden const& golden : goldens("h200"))
    for (int s = 0; s < int(golden.program.sweeps.size()); ++s) {
      SCOPED_TRACE(text(golden.program) + ", sweep " + std::to_string(s + 1));
      if (golden.program.sweeps[s].fused) {
        ++out_of_scope;
        continue;
      }
      LoweredSweep const sweep = lowered_sweep(golden.program, s, m);
      if (sweep.in_bytes + sweep.out_bytes > (Index(128) << 20)) continue;
      ++run;
      try {
        auto const what = difference(sweep, std::uint64_t(run));
        EXPECT_EQ(what, "");
        traced += what.empty();
      } catch (std::exception const& error) {
        ADD_FAILURE() << error.what();
      }
    }
  std::cout << traced << " of " << run << " sweeps, " << out_of_scope << " out of scope\n";
}

}  // namespace
}  // namespace skipper::testing
