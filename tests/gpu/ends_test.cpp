// What is not a plain array, on the stand-in driver through the public Plan: half precision in memory, padding and
// cropping.
#include "gpu/stand_in/fixture.h"
#include "support/as_cpu.h"

namespace skipper::testing {
namespace {

class Ends : public StandIn {};

TEST_F(Ends, HalfPrecision) {
  for (char const* problem :
       {"c2c f16 forward 60 batch 3", "c2c f16 inverse 16x18 in-place scale 0.5", "c2c f16 forward 20000",
        "r2c f16 forward 100 batch 3", "c2r f16 inverse 9x25", "r2r f16 forward 24x5 kinds dct2,dst4"})
    expect_as_cpu(parse_problem(problem));
}

TEST_F(Ends, PaddingAndCropping) {
  for (char const* problem :
       {"c2c f32 forward 16x12 batch 3 load 10x12 keep 3+12x0+0",
        "c2c f32 forward 20000 load 300 keep 19000+1000", "r2c f32 forward 64x128 load 40x100 keep 0+0x0+20",
        "c2r f32 inverse 64x128 keep 2+60x10+100",
        "r2r f64 forward 24x5 kinds dct2,dst4 load 20x5 keep 1+2x2+3"})
    expect_as_cpu(parse_problem(problem));
}

TEST_F(Ends, HalfPrecisionTakesHalvesAlone) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  Plan const plan(c2c({64}, 1, Precision::f16), settings);
  std::vector<Half> in(129), out(128);
  DeviceArray<Half> from(in), to(out);
  plan.execute(from.data(), to.data());
  try {
    plan.execute(from.data() + 1, to.data());  // a complex number is four bytes
    FAIL() << "accepted";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "in");
  }
}

}  // namespace
}  // namespace skipper::testing
