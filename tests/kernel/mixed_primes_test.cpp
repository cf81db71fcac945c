// Programs whose sweeps transform their primes in different ways (plan/mixing.h), run under the emulator with every check.
#include <gtest/gtest.h>

#include "plan/planner.h"
#include "support/quick.h"
#include "support/verify.h"
#include "support/verify_real.h"

namespace skipper::testing {
namespace {

TEST(MixedPrimes, AreTransformedAsTheDefinitionSays) {
  struct Case {
    char const *machine, *problem;
  };
  std::vector<Case> const cases = {
      {"h200", "c2c f64 forward 53x67"},   {"h200", "c2c f32 forward 47x127"},
      {"h200", "c2c f32 inverse 89x47"},   {"a100", "c2c f32 forward 101x5x47"},
      {"h200", "c2c f32 forward 59x2x79"}, {"a100", "c2c f64 forward 79x3x53"},
      {"h200", "c2c f32 forward 61x83x3"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!takes(i, 4)) continue;
    Machine const m = machine(cases[i].machine);
    verify(planner(parse_problem(cases[i].problem), m).front().program, m, i);
  }
}

TEST(MixedPrimes, AreAPlannedCube) {
  if (quick()) return;
  Machine const m = machine("h200");
  verify(planner(parse_problem("c2c f32 forward 61x97x83"), m).front().program, m, 2);
}

/// The ways that 61x97x83 is given, each beside parts of lines that do not divide.
TEST(MixedPrimes, FakeDriverOneProgram) {
  Machine const m = machine("h200");
  Program const program = parse_program(
      "c2c f32 forward 61x13x83\n"
      "{Z(1,61,1,61,no-tw,by 60)} with X%32 on block in -> out [Z Y X]\n"
      "{Y(1,13,1,13,no-tw)} with X%16 on block out -> out [Z Y X]\n"
      "{X(1,83,1,83,no-tw,by 192)} with Y%8 on block out -> out\n");
  verify(program, m, 1);
}

/// More sweeps than are assigned freely: an axis each.
TEST(MixedPrimes, AreNoMatterForCosinesOfManyAxes) {
  Machine const m = machine("h200");
  Program const program =
      planner(parse_problem("r2r f32 forward 3x2x4x2x3x2x4x5 kinds dct2,dst3,dct4,dct2,dst2,dct3,dct1,dst1"),
              m)
          .front()
          .program;
  EXPECT_EQ(program.sweeps.size(), 8u);
  verify_real(program, m, 3);
}

}  // namespace
}  // namespace skipper::testing
