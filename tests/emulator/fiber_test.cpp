// Fibers by themselves: switching, exceptions, cancelling, and that registers and stacks are kept apart.
#include "emulator/fiber.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace skipper::emulator {
namespace {

struct Tally {
  Fiber fiber;
  int rounds = 0;
  double sum = 0;
  std::shared_ptr<int> kept;
};

/// Holds values in floating-point and integer registers and on its stack across yields.
void add_up(void* argument) {
  auto& tally = *static_cast<Tally*>(argument);
  double const weight = tally.sum;
  double volatile local[64];
  for (int i = 0; i < 64; ++i) local[i] = weight * i;
  double total = 0;
  for (int i = 0; i < tally.rounds; ++i) {
    total += weight * local[i];
    tally.fiber.yield();
  }
  tally.sum = total;
}

void fail_later(void* argument) {
  static_cast<Tally*>(argument)->fiber.yield();
  throw std::out_of_range("planted");
}

void hold_and_wait(void* argument) {
  auto& tally = *static_cast<Tally*>(argument);
  auto const held = tally.kept;
  for (;;) {
    try {
      tally.fiber.yield();
    } catch (std::exception const&) {  // cancelling is not an exception of the standard kind
    }
  }
}

TEST(Fiber, ManyInterleave) {
  std::vector<Tally> all(500);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].rounds = int(i % 20) + 1;
    all[i].sum = double(i);
    all[i].fiber.start(&add_up, &all[i]);
  }
  for (bool any = true; any;) {
    any = false;
    for (auto& tally : all)
      if (tally.rounds >= 0) {
        bool const more = tally.fiber.resume();
        if (!more) tally.rounds = -1;
        any = any || more;
      }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    double expected = 0;
    for (std::size_t r = 0; r < i % 20 + 1; ++r) expected += double(i) * double(i) * double(r);
    EXPECT_EQ(all[i].sum, expected) << i;
  }
}

TEST(Fiber, ExceptionReachesTheResumer) {
  Tally tally;
  for (int again = 0; again < 3; ++again) {
    tally.fiber.start(&fail_later, &tally);
    EXPECT_TRUE(tally.fiber.resume());
    EXPECT_THROW(tally.fiber.resume(), std::out_of_range);
  }
}

TEST(Fiber, CancelUnwinds) {
  Tally tally;
  tally.kept = std::make_shared<int>(1);
  tally.fiber.start(&hold_and_wait, &tally);
  EXPECT_TRUE(tally.fiber.resume());
  EXPECT_TRUE(tally.fiber.resume());
  EXPECT_EQ(tally.kept.use_count(), 2);
  tally.fiber.cancel();
  EXPECT_EQ(tally.kept.use_count(), 1);

  tally.fiber.start(&hold_and_wait, &tally);  // never entered
  tally.fiber.cancel();
  EXPECT_EQ(tally.kept.use_count(), 1);
}

TEST(Fiber, OnTwoHostThreads) {
  auto const work = [] {
    for (int i = 0; i < 100; ++i) {
      Tally tally;
      tally.rounds = 5;
      tally.sum = 2;
      tally.fiber.start(&add_up, &tally);
      while (tally.fiber.resume()) {
      }
      ASSERT_EQ(tally.sum, 4.0 * (0 + 1 + 2 + 3 + 4));
    }
  };
  std::thread other(work);
  work();
  other.join();
}

}  // namespace
}  // namespace skipper::emulator
