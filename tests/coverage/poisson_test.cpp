// Poisson problems that are drawn: sound, the same for the same numbers, and of every sort.
#include "coverage/poisson.h"

#include <gtest/gtest.h>

#include "coverage/random_sort.h"

namespace skipper::coverage {
namespace {

TEST(PoissonProblems, AreSoundAndOfEverySort) {
  Sizes const sizes = sizes_for(machine("xeon-avx512"), Index(1) << 18);
  expect_every_property(poisson_properties(), [&](std::uint64_t i) { return drawn_poisson(1, i, sizes); });
  for (std::uint64_t i = 0; i < 500; ++i) {
    DrawnPoisson const d = drawn_poisson(1, i, sizes);
    EXPECT_NO_THROW(check(d.problem)) << text(d);
    EXPECT_EQ(text(d), text(drawn_poisson(1, i, sizes)));
  }
}

}  // namespace
}  // namespace skipper::coverage
