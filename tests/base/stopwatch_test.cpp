// Laps: each part once, in the order they first came, and none of the time lost between them.
#include "base/stopwatch.h"

#include <gtest/gtest.h>

#include <thread>

namespace skipper {
namespace {

TEST(Stopwatch, AddsUpTheLapsOfEachPart) {
  auto const begin = std::chrono::steady_clock::now();
  Stopwatch watch;
  EXPECT_TRUE(watch.parts().empty());
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  watch.lap("search");
  watch.lap("lowering");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  watch.lap("search");
  double const whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_EQ(watch.parts().size(), 2u);
  EXPECT_EQ(watch.parts()[0].name, "search");
  EXPECT_EQ(watch.parts()[1].name, "lowering");
  EXPECT_GE(watch.parts()[0].seconds, 0.005);
  EXPECT_GE(watch.parts()[1].seconds, 0);
  EXPECT_LE(watch.parts()[0].seconds + watch.parts()[1].seconds, whole);
}

}  // namespace
}  // namespace skipper
