// Lengths and kinds on a real device, held to what the CPU makes of them, which other tests hold to the definition: a
// sample of the lengths to 2048 that differs from run to run, all of them with SKIPPER_LONG=1. Most of the time is NVRTC's.
#include "device/device.h"
#include "support/as_cpu.h"

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

/// Fourier, cosine and sine axes of any order.
TEST(DeviceLengths, MixedKinds) {
  std::mt19937_64 random(seed_of_run());
  auto const upto = [&](std::uint64_t n) { return std::int64_t(random() % n); };
  std::vector<Problem> problems;
  for (int i = 0; i < (thorough() ? 400 : quick() ? 3 : 40); ++i) {
    Problem p;
    p.kind = Kind(upto(4));
    p.precision = upto(3) ? Precision::f32 : Precision::f64;
    if (p.kind == Kind::c2r || (p.kind == Kind::c2c && upto(2))) p.direction = Direction::inverse;
    std::size_t const rank = std::size_t(1 + upto(4));
    std::uint64_t const most = quick() ? 6 : rank == 1 ? 5000 : rank == 2 ? 300 : rank == 3 ? 60 : 20;
    while (p.axes.size() < rank) {
      bool const fourier = p.kind != Kind::r2r && upto(2);
      p.axes.push_back({2 + upto(most), 0, 0, fourier ? AxisKind::fourier : AxisKind(1 + upto(8))});
    }
    if ((p.kind == Kind::r2c || p.kind == Kind::c2r) && !halved_axis(p))
      p.axes[std::size_t(upto(rank))].kind = AxisKind::fourier;
    if (upto(2)) p.batch.push_back({1 + upto(5)});
    if (upto(3) == 0) p.norm = Norm::ortho;
    p = dense_layout(p);
    bool const padded = p.kind == Kind::c2r;  // in place its rows have room whose contents are nobody's
    problems.push_back(padded || upto(4) ? p : in_place(p));
  }
  expect_all(problems);
}

}  // namespace
}  // namespace skipper::testing
