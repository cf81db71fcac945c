// Complex data under real kinds as the r2r problem of its parts.
#include "plan/complex_parts.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include "plan/planner.h"

namespace skipper::testing {
namespace {

TEST(ComplexParts, AreABatchOfNeighbours) {
  auto const parts = [](char const* problem) { return problem_of_parts(parse_problem(problem)); };
  EXPECT_EQ(
      parts("c2c f32 inverse 6x10 kinds dct2,dht batch 3 scale 2 in 1,6/70 out 12,1/130"),
      parse_problem("r2r f32 forward 6x10 kinds dct2,dht batch 3x2 scale 2 in 2,12/140,1 out 24,2/260,1"));
  EXPECT_EQ(parts("c2c f32 forward 1x9x1 kinds fourier,dst2,fourier"),
            parse_problem("r2r f32 forward 9 kinds dst2 batch 2 in 2/1 out 2/1"));
  EXPECT_EQ(parts("c2c f64 forward 9 kinds dct1 load 5 keep 2+4 norm ortho"),
            parse_problem("r2r f64 forward 9 kinds dct1 batch 2 load 5 keep 2+4 norm ortho in 2/1 out 2/1"));
}

TEST(ComplexParts, OfRealKindsAlone) {
  for (char const* const problem :
       {"c2c f32 forward 8", "c2c f32 forward 1", "c2c f32 forward 8x8 kinds dct2,fourier",
        "r2r f32 forward 8 kinds dct2", "r2c f32 forward 8x8 kinds dct2,fourier"})
    EXPECT_FALSE(problem_of_parts(parse_problem(problem))) << problem;
  Problem full = parse_problem("c2c f32 forward 8 kinds dct2");
  full.batch.assign(max_rank, {1, 8, 8});
  EXPECT_FALSE(problem_of_parts(full));
}

/// No block of an A100 holds the real and the imaginary parts of such a line.
TEST(ComplexParts, ArePlannedWhereNothingElseIs) {
  Problem const longer = parse_problem("c2c f64 forward 16384 kinds dct2"),
                shorter = parse_problem("c2c f64 forward 4096 kinds dct2");
  auto const problem = [](Problem const& p) {
    return planner(p, machine("a100"), {.max_candidates = 1}).front().program.problem;
  };
  EXPECT_EQ(problem(longer), problem_of_parts(longer));
  EXPECT_EQ(problem(shorter), shorter);
  EXPECT_THROW(planner(longer, machine("a100"), {.parts = false}), Error);
}

TEST(ComplexParts, AreNotTakenBesideFourierAxes) {
  try {
    planner(parse_problem("c2c f64 forward 3x16387 kinds fourier,dct2"), machine("a100"));
    ADD_FAILURE() << "planned";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "axes");
    EXPECT_NE(std::string(e.what()).find("in a plan of their own"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skipper::testing
