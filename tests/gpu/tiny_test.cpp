// Problems with axes so short that there is little or nothing to transform are planned like others, and computed on the fake
// driver.
#include "cli/command_line.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

class TinyProblems : public FakeDriver {
 protected:
  void expect_good(std::vector<char const*> const& problems) {
    for (char const* const problem : problems) {
      auto const o = cli::outcome_of({"verify", problem, "--device", "cuda:0"});
      EXPECT_EQ(o.code, cli::done) << problem << ": " << o.out << o.error;
    }
  }
};

/// A real that is a row by itself stands in the place of a complex number.
TEST_F(TinyProblems, InPlaceWithRowsOfOne) {
  expect_good({"r2c f32 forward 1 batch 100 in-place", "c2r f64 inverse 1 batch 1414 in-place",
               "r2c f64 forward 26x28x1 batch 10 in-place", "c2r f64 inverse 26x28x1 batch 10 in-place",
               "r2c f16 forward 7x1 batch 100 in-place", "c2r bf16 inverse 1 in-place",
               "r2c f64 forward 1x1 kinds fourier,dst3 batch 9x182 in-place",
               "r2c f32 forward 7x1 kinds dct2,fourier batch 3 in-place",
               "c2r f32 inverse 7x1 kinds fourier,dct2 batch 3 in-place",
               "r2c f32 forward 1x1x1 norm ortho in-place", "c2r f32 inverse 131072x1 in-place"});
}

/// Points that few threads do not divide take more threads.
TEST_F(TinyProblems, NothingToTransform) {
  expect_good({"c2r f32 inverse 1 batch 187", "c2r f64 inverse 1 batch 741",
               "r2r bf16 forward 1 kinds dst2 batch 171 in 175/1", "r2r f32 forward 1 kinds dct2 batch 1031",
               "c2r f64 inverse 1x1x1 batch 8x2470 in 19760,19760,19760/2470,1",
               "c2r f64 inverse 1x1 kinds dct2,fourier batch 135", "c2c f64 forward 1 kinds dct2 batch 1031",
               "r2r f64 forward 1 kinds dst2 batch 29x1031 in 1/2000,1 out 1/1500,1",
               "c2c f32 forward 1x1 batch 211x223 in 1,1/446,2 out 1,1/1,300"});
}

/// Each line of a Hermitian split has an element beside those that threads hold: of many short lines, more of them than these
/// threads have registers for.
TEST_F(TinyProblems, ManyLinesOfHalvedAxes) {
  expect_good({"c2r f32 inverse 43x1x4 batch 2 in 6,3,1/258 out 4,172,1/172",
               "r2c f32 forward 279x9x1x4 batch 3 in 60,4,4,1/16740 out 90,6,3,1/25380",
               "c2r f16 inverse 31x4 batch 8x9 load 0x3 keep 0+28x2+2"});
}

}  // namespace
}  // namespace skipper::testing
