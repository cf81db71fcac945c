// Counters: zero at first, the same for the same array, others for another, also past a page of them.
#include "gpu/counters.h"

#include <set>

#include "gpu/stand_in/fixture.h"

namespace skipper::testing {
namespace {

class CountersOnTheDevice : public StandIn {};

TEST_F(CountersOnTheDevice, BelongToTheArrayBetween) {
  gpu::Current const current(gpu::context_for(0));
  gpu::Counters counters(256);
  std::set<gpu::DevicePointer> seen;
  for (gpu::DevicePointer between = 1; between <= 100; ++between) {
    gpu::DevicePointer const at = counters.of(between);
    EXPECT_TRUE(seen.insert(at).second);
    auto* const words = reinterpret_cast<unsigned*>(at);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(words[i], 0u);
    words[63] = 7;
  }
  for (gpu::DevicePointer between = 1; between <= 100; ++between)
    EXPECT_TRUE(seen.count(counters.of(between)));
  EXPECT_EQ(counters.of(3), counters.of(3));
}

}  // namespace
}  // namespace skipper::testing
