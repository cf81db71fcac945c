// Planning for any machine whose text is accepted: a program that can be lowered, or an Error. Run under sanitizers it shows
// that no field leads out of bounds, over the range of a number, or to a division by zero.
#include <gtest/gtest.h>
#include <skipper/error.h>

#include <random>
#include <sstream>

#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper {
namespace {

/// The text of a known machine with some of its numbers changed: to others near them, to ends of ranges, to anything.
std::string changed_text(std::mt19937_64& random) {
  std::vector<std::string> const names = machine_names();
  std::istringstream words(text(machine(names[random() % names.size()])));
  std::string line, word;
  for (int i = 0; i < 4 && words >> word; ++i) line += word + " ";
  for (std::string key, value; words >> key >> value;) {
    if (key != "l2_block" && key != "copy_bandwidth" && random() % 6 == 0) {
      std::int64_t const old = std::stoll(value);
      std::int64_t const choice[] = {0,
                                     1,
                                     2,
                                     16,
                                     32,
                                     old / 2,
                                     old / 8,
                                     old * 2,
                                     old * 64,
                                     old + 1,
                                     std::int64_t(1) << random() % 41,
                                     std::int64_t(random() % 70000),
                                     std::int64_t(random() >> 1)};
      value = std::to_string(choice[random() % std::size(choice)]);
    } else if (key == "copy_bandwidth" && random() % 6 == 0) {
      value = random() % 2 ? "1000" : "1e18";
    } else if (key == "l2_block" && random() % 4 == 0) {
      value = "no";
    }
    line += key + " " + value + " ";
  }
  return line;
}

char const* const problems[] = {
    "c2c f32 forward 8",           "c2c f32 forward 101",
    "c2c f64 inverse 360 batch 7", "c2c f32 forward 1024 batch 64",
    "r2c f32 forward 48x30",       "c2r f64 inverse 1x256",
    "c2c f32 forward 16x12x10",    "r2r f32 forward 64 kinds dct2 batch 5",
    "c2c f16 forward 512 batch 3", "c2c bf16 forward 512 batch 3",
};

/// "planned" or "refused".
std::string outcome(Machine const& m, Problem const& problem) try {
  Program const program =
      planner(problem, m, {.clusters = true, .l2_blocks = true, .max_candidates = 1}).front().program;
  if (m.kind == MachineKind::gpu) lower_all(program, m);
  return "planned";
} catch (Error const& e) {
  EXPECT_FALSE(std::string(e.what()).empty());
  return "refused";
}

TEST(Machines, AnyMachineIsPlannedForOrRefused) {
  std::mt19937_64 random(19);
  int const rounds = testing::thorough() ? 2000 : testing::quick() ? 100 : 500;
  int accepted = 0, planned = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string const line = changed_text(random);
    SCOPED_TRACE(line);
    Machine m;
    try {
      m = machine(line);
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "machine");
      continue;
    }
    ++accepted;
    char const* const problem = problems[random() % std::size(problems)];
    SCOPED_TRACE(problem);
    (outcome(m, parse_problem(problem)) == "planned" ? planned : refused)++;
  }
  EXPECT_GT(accepted, rounds / 20);
  EXPECT_GT(planned, 0);
}

/// A Hermitian split takes more shared memory than the tile where lines begin with an element more.
TEST(Machines, SmallOnesHaveRoomForHermitianSplits) {
  Machine m = machine("h200");
  m.cluster = 1;
  for (Index const bytes : {8192, 16384}) {
    m.shared_block = bytes;
    for (char const* const problem :
         {"c2r f64 inverse 3600x4", "c2r f32 inverse 3150x8 batch 3", "c2r f32 inverse 2048 batch 7",
          "r2r f64 forward 1024x8 kinds dct3,dct3 batch 7", "c2r f64 inverse 512x512 batch 3"})
      EXPECT_EQ(outcome(m, parse_problem(problem)), "planned") << problem << " in " << bytes;
  }
}

/// A machine without room for anything.
TEST(Machines, OneThatHoldsNothingIsRefusedInWords) {
  Machine m = machine("h200");
  m.registers_thread = 16;
  m.registers_sm = 512;
  m.shared_block = m.shared_sm = m.shared_reserved = 0;
  m.cluster = 1;
  for (char const* problem : {"c2c f32 forward 4096 batch 64", "c2c f64 forward 1009"}) try {
      Program const program = planner(parse_problem(problem), m, {}).front().program;
      lower_all(program, m);
      ADD_FAILURE() << problem << " was planned";
    } catch (Error const& e) {
      EXPECT_FALSE(std::string(e.what()).empty());
    }
}

}  // namespace
}  // namespace skipper
