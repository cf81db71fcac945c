// Bandwidths are measured within the memory they say they take, and decide.
#include "stream/bandwidths.h"

#include <gtest/gtest.h>

#include "stream/simulated_device.h"

namespace skipper::stream {
namespace {

TEST(Bandwidths, AreMeasuredAndLeaveNothing) {
  constexpr Index bytes = 1 << 16;
  testing::SimulatedHost host;
  testing::SimulatedDevice device(2 * bytes);  // which ends the test where memory is left
  Bandwidths const found = measured(device, host, bytes);
  for (double const b : {found.up, found.down, found.both, found.host}) {
    EXPECT_GT(b, 0);
    EXPECT_LT(b, 1e15);
    EXPECT_NE(b, Bandwidths{}.up);
  }
  EXPECT_EQ(found.device, Bandwidths{}.device);
  EXPECT_EQ(device.peak, 2 * bytes);
  EXPECT_GE(device.up_bytes, 2 * bytes);
  EXPECT_EQ(device.up_bytes, device.down_bytes);
}

TEST(Bandwidths, OfADeviceThatIsTheHostOnlyItsMemory) {
  testing::SimulatedHost host;
  testing::SimulatedDevice device(0, true);
  Bandwidths const found = measured(device, host, 1 << 16);
  EXPECT_NE(found.host, Bandwidths{}.host);
  EXPECT_EQ(found.both, Bandwidths{}.both);
  EXPECT_EQ(device.peak, 0);
}

}  // namespace
}  // namespace skipper::stream
