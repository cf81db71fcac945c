// The problem that undoes a problem.
#include <gtest/gtest.h>

#include <skipper/plan.h>

namespace skipper {
namespace {

std::string inverse_text(char const* problem) { return text(inverse_problem(parse_problem(problem))); }

TEST(Inverse, SwapsSidesAndScales) {
  EXPECT_EQ(inverse_text("c2c f32 forward 4x8"), "c2c f32 inverse 4x8 scale 0.03125");
  EXPECT_EQ(inverse_text("c2c f32 inverse 4x8 scale 0.03125"), "c2c f32 forward 4x8");
  EXPECT_EQ(inverse_text("r2c f64 forward 4x4"), "c2r f64 inverse 4x4 scale 0.0625");
  EXPECT_EQ(inverse_text("c2r f64 inverse 4x4 in-place"), "r2c f64 forward 4x4 scale 0.0625 in-place");
  EXPECT_EQ(inverse_text("c2c f32 forward 8 reversed"), "c2c f32 inverse 8 scale 0.125 from-reversed");
  EXPECT_EQ(inverse_text("r2r f64 forward 4x5 kinds dct2,dct1"),
            "r2r f64 forward 4x5 kinds dct3,dct1 scale 0.015625");
  EXPECT_EQ(inverse_text("r2r f64 forward 4x5 kinds dst2,dct4 norm ortho"),
            "r2r f64 forward 4x5 kinds dst3,dct4 norm ortho");
}

TEST(Inverse, TwiceIsTheProblemItself) {
  for (char const* t : {"c2c f32 forward 4x8 batch 3", "r2c f32 forward 16x8",
                        "c2c f64 forward 16 batch 4 in 4/1 out 1/16"}) {
    Problem const problem = parse_problem(t);
    EXPECT_EQ(text(inverse_problem(inverse_problem(problem))), text(problem));
  }
}

TEST(Inverse, RefusesWhatNothingUndoes) {
  EXPECT_THROW(inverse_problem(parse_problem("c2c f32 forward 8 scale 0")), Error);
  EXPECT_THROW(inverse_problem(parse_problem("c2c f32 forward 8 batch 4 in 1/0")), Error);
}

}  // namespace
}  // namespace skipper
