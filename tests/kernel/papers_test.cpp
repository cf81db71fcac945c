// The papers' own plans run under the emulator and give the digit-reversed transform. Plans of up to 2^22 points
// always; the larger ones, to 2^27 points and some minutes each, with SKIPPER_LONG=1.
#include <gtest/gtest.h>

#include <iostream>

#include "support/papers.h"
#include "support/quick.h"
#include "support/compare.h"

namespace skipper::testing {
namespace {

TEST(Papers, PlansGiveTheDigitReversedTransform) {
  bool const all = thorough();
  Machine const m = machine("h200");
  int ran = 0;
  for (PaperPlan const& plan : paper_plans()) {
    Index const most = all ? Index(1) << 30 : quick() ? Index(1) << 21 : Index(1) << 22;
    if (points(plan.problem) > most) {
      std::cout << plan.name << ": left to SKIPPER_LONG=1\n";
      continue;
    }
    SCOPED_TRACE(plan.name);
    ++ran;
    Program const program = parse_program(plan.sweeps, plan.problem);
    std::mt19937_64 random(std::uint64_t(points(plan.problem)));
    Array<float> const x = random_array<float>(array_size(plan.problem, false), random);
    Array<float> data = x, unused;
    (void)run_program<float>(program, data, unused, m, emulator::Checks::none(), 2);
    double const error = compare(program, x, data, random).l2;
    EXPECT_LE(error, allowed_error(plan.problem));
    if (all) std::cout << plan.name << ": relative error " << error << std::endl;
  }
  EXPECT_GE(ran, 1);
}

}  // namespace
}  // namespace skipper::testing
