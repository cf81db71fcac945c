// Convolutions that are drawn: sound, the same for the same numbers, of every sort, and no larger than asked for.
#include "coverage/convolutions.h"

#include <gtest/gtest.h>

#include "coverage/random_sort.h"

namespace skipper::coverage {
namespace {

TEST(Convolutions, AreSoundAndOfEverySort) {
  Sizes const sizes = sizes_for(machine("xeon-avx512"), Index(1) << 20);
  expect_every_property(convolution_properties(),
                        [&](std::uint64_t i) { return drawn_convolution(1, i, sizes); });
  for (std::uint64_t i = 0; i < 500; ++i) {
    ConvolutionProblem const p = drawn_convolution(1, i, sizes);
    EXPECT_NO_THROW(out_shape(p)) << text(p);
    EXPECT_EQ(text(p), text(drawn_convolution(1, i, sizes)));
    Index elements = p.batch;
    for (std::int64_t const n : out_shape(p)) elements *= n;
    EXPECT_LE(2 * elements, 1 << 20) << text(p);
  }
}

}  // namespace
}  // namespace skipper::coverage
