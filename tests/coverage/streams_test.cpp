// Streams that are drawn: the same for the same numbers, of every sort, with limits below their arrays.
#include "coverage/streams.h"

#include <gtest/gtest.h>

#include "coverage/random_sort.h"

namespace skipper::coverage {
namespace {

TEST(Streams, AreOfEverySortAndLimitedBelowTheirArrays) {
  Sizes const sizes = sizes_for(machine("xeon-avx512"), Index(1) << 20);
  expect_every_property(stream_properties(), [&](std::uint64_t i) { return drawn_stream(1, i, sizes); });
  for (std::uint64_t i = 0; i < 100; ++i) {
    StreamProblem const s = drawn_stream(1, i, sizes);
    EXPECT_EQ(text(s), text(drawn_stream(1, i, sizes)));
    EXPECT_LE(s.memory_limit, std::max(in_bytes(s.problem), out_bytes(s.problem))) << text(s);
  }
}

}  // namespace
}  // namespace skipper::coverage
