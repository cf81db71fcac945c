// The papers' own plans parse, are complete, and mean what the papers say: in place, in order in, digit-reversed out.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/planner.h"
#include "plan/tile.h"
#include "support/papers.h"

namespace skipper::testing {
namespace {

TEST(Papers, AllPlansThatTheTextsHoldWholeAreHere) {
  auto const plans = paper_plans();
  auto const count = [&](std::string const& start) {
    return std::count_if(plans.begin(), plans.end(), [&](PaperPlan const& p) { return p.name.starts_with(start); });
  };
  EXPECT_EQ(count("tesla-"), 4);
  EXPECT_EQ(count("fermi-"), 6);
  EXPECT_EQ(count("example-256"), 2);
  EXPECT_EQ(count("poisson-"), 8);
}

TEST(Papers, PlansParseAreCompleteAndStayInPlace) {
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    Program const program = parse_program(plan.sweeps, plan.problem);
    EXPECT_NO_THROW(check(program));
    EXPECT_EQ(int(program.sweeps.size()), plan.kernels);
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      EXPECT_TRUE(closed(program, s));
      EXPECT_EQ(program.sweeps[s].to, Buffer::out) << "needs workspace";
    }
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(Papers, OutputIsDigitReversed) {
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    Program const program = parse_program(plan.sweeps, plan.problem);
    for (int d = 0; d < int(program.dims.size()); ++d)
      for (int part = 0; part < int(program.radices[d].size()); ++part) {
        // In place: a digit is written where it was read, so the first one transformed, the least significant of
        // the output, is the slowest in memory.
        EXPECT_EQ(input_stride(program, {d, part}), output_stride(program, {d, part}));
        bool const slower_first = plan.problem.order == Order::reversed;
        EXPECT_TRUE(part == 0 || slower_first == (output_stride(program, {d, part}) < output_stride(program, {d, part - 1})));
      }
  }
}

TEST(Papers, BrokenPlansAreRefused) {
  Problem const problem = parse_problem("c2c f32 forward 64x64 in-place reversed");
  auto const refusal = [&](std::string const& sweeps) -> std::string {
    try {
      (void)parse_program(sweeps, problem);
    } catch (Error const& e) {
      return e.what();
    }
    return "accepted";
  };
  std::string const y = "{Y(1,64,1,64,no-tw)}";
  EXPECT_EQ(refusal("{X(8,8,8,64,tw)} {X(8,8,1,8,no-tw)} " + y), "accepted");
  EXPECT_NE(refusal("{X(8,8,8,64,tw)} " + y).find("64"), std::string::npos) << "the second half of X is missing";
  EXPECT_NE(refusal("{X(8,8,1,8,no-tw)} {X(8,8,8,64,tw)} " + y).find("needs X(8,8,8,64,tw)"), std::string::npos) << "the wrong order";
  EXPECT_NE(refusal("{X(8,8,8,32,tw)} {X(8,8,1,8,no-tw)} " + y).find("needs X(8,8,8,64,tw)"), std::string::npos) << "the wrong span";
  EXPECT_NE(refusal("{X(8,8,8,64,no-tw)} {X(8,8,1,8,no-tw)} " + y).find("needs X(8,8,8,64,tw)"), std::string::npos) << "no twiddles";
  EXPECT_NE(refusal("{X(8,8,8,64,tw), Q(1,2,3,4,tw)}").find("'Q' is not an axis"), std::string::npos);
  EXPECT_NE(refusal("{X(8,8,8,64,tw)} {X(8,8,1,8,no-tw)}").find("Y"), std::string::npos) << "Y is missing";
}

}  // namespace
}  // namespace skipper::testing
