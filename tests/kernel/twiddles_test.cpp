// Rotations by constants: a thread reads one factor from the table, and each register rotates it by what the compiler knows.
#include "kernel/twiddles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

kernel::SweepSpec spec_of(std::string const& problem) {
  Machine const m = machine("h200");
  return lower(planner(parse_problem(problem), m).front().program, 0, m).spec;
}

TEST(Twiddles, RegistersRotateByRootsOfUnity) {
  for (char const* problem : {"r2c f32 forward 1024 batch 131072", "r2c f32 forward 3000 batch 40000",
                              "r2r f32 forward 5000 kinds dct2 batch 26843"}) {
    auto const spec = spec_of(problem);
    auto const& rotation = spec.hermitian.rotation;
    int const step = spec.hermitian.step;
    ASSERT_GT(rotation.order, 0) << problem;
    auto const apart = kernel::register_rotations<double>(spec, kernel::MapName::rotation, step);
    bool any = false;
    for (int q = 0; q < kernel::elements_per_thread(spec, step); ++q) {
      auto const part = kernel::register_offset(spec, kernel::MapName::rotation, 0, step, q);
      double const angle = -2 * std::numbers::pi * double(rotation.scale * part) / double(rotation.order);
      EXPECT_NEAR(apart[q].re, std::cos(angle), 1e-15) << problem << " register " << q;
      EXPECT_NEAR(apart[q].im, std::sin(angle), 1e-15) << problem << " register " << q;
      any = any || part != 0;
    }
    EXPECT_TRUE(any) << problem;
  }
}

TEST(Twiddles, DoublesReadAllRotationsFromTables) {
  auto const spec = spec_of("r2c f64 forward 1024 batch 65536");
  EXPECT_TRUE(spec.hermitian.rotation.used);
  EXPECT_EQ(spec.hermitian.rotation.order, 0);
}

TEST(Twiddles, PlanesAndCubesFromHalvesOnReadRotationsFromTables) {
  for (char const* problem : {"c2r f32 inverse 128x128 batch 16384", "c2r f32 inverse 24x24x24 batch 19418",
                              "c2r f32 inverse 256x256 batch 2048", "c2r f32 inverse 48x48x48 batch 2426"}) {
    auto const spec = spec_of(problem);
    EXPECT_TRUE(spec.hermitian.rotation.used) << problem;
    EXPECT_EQ(spec.hermitian.rotation.order, 0) << problem;
  }
  EXPECT_GT(spec_of("c2r f32 inverse 1000 batch 134218").hermitian.rotation.order, 0);
}

}  // namespace
}  // namespace skipper
