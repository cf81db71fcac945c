// Lengths and kinds on a real device, held to what the CPU makes of them, which other tests hold to the definition: a
// sample of the lengths to 2048 that differs from run to run, all of them with SKIPPER_LONG=1. Most of the time is NVRTC's.
#include "device/device.h"
#include "support/as_cpu.h"
#include "support/random_mixed.h"

namespace skipper::testing {
namespace {

void expect_all(std::vector<Problem> const& problems) {
  on_all_cores(problems.size(), [&](std::size_t i) { expect_as_cpu(problems[i]); });
}

Precision precision_for(std::int64_t n) { return n % 2 ? Precision::f32 : Precision::f64; }

TEST(DeviceLengths, ComplexAndReal) {
  std::vector<Problem> problems;
  for (std::int64_t n : lengths_to_2048(16, 41)) {
    problems.push_back(
        c2c({n}, 1 + n % 7, precision_for(n), n % 4 < 2 ? Direction::forward : Direction::inverse));
    problems.push_back(r2c({n}, 1 + n % 5, precision_for(n + 1)));
    problems.push_back(c2r({n}, 1 + n % 3, precision_for(n + n / 2)));
  }
  expect_all(problems);
}

TEST(DeviceLengths, HalfPrecision) {
  std::vector<Problem> problems;
  for (std::int64_t n : lengths_to_2048(4, 101)) {
    problems.push_back(n % 2 ? c2c({n}, 3, Precision::f16) : r2c({n}, 3, Precision::f16));
    problems.push_back(n % 2 ? c2r({n}, 3, Precision::f16)
                             : r2r({n}, {AxisKind(2 + n % 3)}, 3, Precision::f16));
  }
  expect_all(problems);
}

TEST(DeviceLengths, CosinesAndSines) {
  std::vector<Problem> problems;
  std::int64_t const step = thorough() ? 1 : quick() ? 61 : 17, offset = std::int64_t(seed_of_run() % 17);
  for (int kind = 1; kind <= 8; ++kind) {
    for (std::int64_t n = 2 + (offset + kind) % step; n <= 128; n += step)
      problems.push_back(r2r({n}, {AxisKind(kind)}, 1 + n % 3, precision_for(n)));
    if (!quick()) problems.push_back(r2r({129 + (37 * kind + offset * 61) % 4000}, {AxisKind(kind)}, 2));
  }
  expect_all(problems);
}

TEST(DeviceLengths, MixedKinds) {
  std::mt19937_64 random(seed_of_run());
  std::vector<Problem> problems;
  for (int i = 0; i < (thorough() ? 400 : quick() ? 3 : 40); ++i) {
    Problem const p = quick() ? random_mixed(random, 1000, {8, 8, 8, 8})
                              : random_mixed(random, 300'000, {5000, 300, 60, 20});
    bool const padded = p.kind == Kind::c2r && p.placement == Placement::in_place;
    if (!padded) problems.push_back(p);  // its rows have room whose contents are nobody's
  }
  expect_all(problems);
}

}  // namespace
}  // namespace skipper::testing
