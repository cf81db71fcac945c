// The residency of kernels as a plan loads them: the driver is asked how much of a thread is in local memory, and each kernel
// is loaded once.
#include <skipper/skipper.h>

#include "gpu/device.h"
#include "gpu/fake_driver/fixture.h"
#include "gpu/loaded.h"

namespace skipper::testing {
namespace {

class LoadedResidency : public FakeDriver {
 protected:
  /// Loads a plan of one kernel for several blocks an SM, which then spills so many bytes unless it is alone there.
  std::optional<int> local_bytes(int by_log, std::optional<int> by_driver) {
    fake_driver::reset();
    fake_driver::spill(by_log);
    fake_driver::spill_as_loaded(by_driver);
    Machine const& machine = gpu::device_machine(0);
    Stopwatch watch;
    auto const program = gpu::loaded("", 0, watch, [&] {
      auto prepared = gpu::prepared(parse_problem("c2c f32 forward 64 batch 1000"), machine, {}, watch);
      prepared.sweeps.at(0).spec.resident = 3;
      return prepared;
    });
    return program->sweeps.at(0).kernel.local_bytes;
  }
  int compiled() const { return fake_driver::calls(compile_call()); }
  int loaded() const { return fake_driver::calls("cuModuleLoadData"); }
  int unloaded() const { return fake_driver::calls("cuModuleUnload"); }
};

TEST_F(LoadedResidency, FollowsTheDriver) {
  EXPECT_EQ(local_bytes(0, 400), 0) << "alone on an SM";
  EXPECT_EQ(compiled(), 3);
  EXPECT_EQ(loaded(), 3);
  EXPECT_EQ(unloaded(), 3);
}

TEST_F(LoadedResidency, LoadsWhatIsCachedOnce) {
  local_bytes(0, 400);
  EXPECT_EQ(local_bytes(0, 400), 0);
  EXPECT_EQ(compiled(), 0);
  EXPECT_EQ(loaded(), 1);
}

TEST_F(LoadedResidency, TakesNoSpillOfTheLogWhereTheDriverSeesNone) {
  EXPECT_EQ(local_bytes(400, 0), 0);
  EXPECT_EQ(compiled(), 1);
  EXPECT_EQ(loaded(), 1);
}

TEST_F(LoadedResidency, FollowsTheLogWhereTheDriverDoesNotSay) {
  EXPECT_EQ(local_bytes(400, std::nullopt), std::nullopt);
  EXPECT_EQ(compiled(), is_traced() ? 1 : 3) << "the driver's compiler gives no log";
}

}  // namespace
}  // namespace skipper::testing
