// Tuning files: text that reads back, programs found by problem, mismatches said.
#include "plan/tuning.h"

#include <gtest/gtest.h>

#include "plan/planner.h"

namespace skipper {
namespace {

Program best(char const* problem) {
  return planner(parse_problem(problem), machine("h200"), {.max_candidates = 1}).front().program;
}

Tuning two() {
  Tuning tuning = empty_tuning(machine("h200"));
  put(tuning, best("c2c f32 forward 64x64 batch 8"));
  put(tuning, best("c2c f64 inverse 100000"));
  return tuning;
}

TEST(Tuning, ReadsBackWhatItWrites) {
  Tuning const tuning = two();
  Tuning const again = parse_tuning(text(tuning));
  EXPECT_EQ(again.version, tuning.version);
  EXPECT_EQ(again.machine, tuning.machine);
  EXPECT_EQ(again.programs, tuning.programs);
  EXPECT_EQ(text(again), text(tuning));
  EXPECT_TRUE(parse_tuning(text(empty_tuning(machine("a100")))).programs.empty());
}

TEST(Tuning, FindsByProblemAndReplaces) {
  Tuning tuning = two();
  Problem const problem = parse_problem("c2c f64 inverse 100000");
  ASSERT_TRUE(find(tuning, problem));
  EXPECT_EQ(find(tuning, problem)->problem, problem);
  EXPECT_FALSE(find(tuning, parse_problem("c2c f64 forward 100000")));
  Program const other = planner(problem, machine("h200"), {.max_candidates = 2}).back().program;
  put(tuning, other);
  EXPECT_EQ(tuning.programs.size(), 2u);
  EXPECT_EQ(*find(tuning, problem), other);
}

TEST(Tuning, GivesOneProgramWithoutReadingTheOthers) {
  Tuning const tuning = two();
  std::string const all = text(tuning);
  std::string_view rest = all;
  Tuning const head = parse_head(rest);
  EXPECT_EQ(head.machine, tuning.machine);
  EXPECT_TRUE(head.programs.empty());
  for (Program const& program : tuning.programs) EXPECT_EQ(find_program(rest, program.problem), program);
  EXPECT_FALSE(find_program(rest, parse_problem("c2c f64 inverse 10000")))
      << "the beginning of another's line";
  std::string const spoilt = "\n\nc2c f32 forward 64\n{X(nonsense)}\n" + std::string(rest);
  EXPECT_EQ(find_program(spoilt, tuning.programs[1].problem), tuning.programs[1]);
  EXPECT_THROW(find_program(spoilt, parse_problem("c2c f32 forward 64")), Error);
}

TEST(Tuning, SaysWhatDoesNotMatch) {
  Tuning tuning = two();
  Machine here = machine("h200");
  EXPECT_EQ(mismatch(tuning, here), "");
  here.memory_bytes -= 1;
  EXPECT_EQ(mismatch(tuning, here), "") << "memory is no fact of the machine's make";
  here.sms -= 1;
  EXPECT_NE(mismatch(tuning, here).find("other facts"), std::string::npos);
  EXPECT_NE(mismatch(tuning, machine("a100")).find("is for h200 and this is a100"), std::string::npos);
  tuning.version = "0.0.1";
  EXPECT_NE(mismatch(tuning, machine("h200")).find("0.0.1"), std::string::npos);
}

TEST(Tuning, RefusesOtherTexts) {
  std::string const good = text(two());
  EXPECT_THROW(parse_tuning(""), Error);
  EXPECT_THROW(parse_tuning("skipper tuning 2" + good.substr(16)), Error);
  EXPECT_THROW(parse_tuning(good.substr(0, good.find('\n'))), Error);
  EXPECT_THROW(parse_tuning(good + "\nc2c f32 forward 64\n{X(nonsense)}\n"), Error);
}

}  // namespace
}  // namespace skipper
