// Data in host memory through a part of a real device: transforms of every kind and Poisson problems, in slices that must
// come back in their places, held to what the CPU makes of the same bytes in core.
#include "device/device.h"
#include "support/as_cpu.h"

namespace skipper::testing {
namespace {

StreamSettings limited(std::int64_t bytes, StreamStrategy strategy) {
  StreamSettings settings;
  settings.device = Device("cuda:0");
  settings.memory_limit = bytes;
  settings.strategy = strategy;
  return settings;
}

/// The limit is a part of the array, so that several slices go through.
void expect_streamed_as_cpu(Problem const& p, StreamStrategy strategy, int trips) {
  SCOPED_TRACE(text(p));
  std::int64_t const limit = in_bytes(p) * 3 / 4;
  bool const in_place = p.placement == Placement::in_place;
  std::int64_t const room = in_place ? std::max(in_bytes(p), out_bytes(p)) : out_bytes(p);
  Numbers const input = Numbers::noise(p.precision, in_place ? room : in_bytes(p), 3);
  Numbers in = input, right = in_place ? input : Numbers::noise(p.precision, room, 4), got = right;
  Plan(p, on("cpu")).execute(in_place ? right.data() : in.data(), right.data());
  StreamPlan const plan(p, limited(limit, strategy));
  plan.execute(in_place ? got.data() : in.data(), got.data());
  EXPECT_TRUE(in == input) << "the input was not preserved";
  EXPECT_LE(relative_error(right, got), allowed_beside_cpu(p.precision)) << plan.describe();
  EXPECT_EQ(plan.trips(), trips) << plan.describe();
  EXPECT_LE(plan.device_bytes(), limit);
}

class DeviceStreams : public Share {
 protected:
  void expect_all(std::vector<std::string> problems, StreamStrategy strategy, int trips) const {
    if (quick()) problems.resize(2);
    for (std::string const& problem : of(problems))
      expect_streamed_as_cpu(parse_problem(problem), strategy, trips);
  }
};
INSTANTIATE_TEST_SUITE_P(Share, DeviceStreams, Share::all());

TEST_P(DeviceStreams, TheHostDoesOneAxis) {
  expect_all({"c2c f32 forward 24x32x40", "r2c f64 forward 20x36x30", "c2c f32 inverse 128x128x128 in-place",
              "r2c f32 forward 128x96x200", "c2r f64 inverse 96x128x100", "c2c f64 forward 1000x1000",
              "r2r f32 forward 60x70x80 kinds dct2,dst1,dct4"},
             StreamStrategy::host_and_device, 1);
}

TEST_P(DeviceStreams, TheDeviceDoesAll) {
  expect_all({"c2c f32 forward 24x32x40", "r2c f64 forward 20x36x30", "c2c f32 inverse 128x128x128 in-place",
              "c2r f32 inverse 96x128x200", "c2c f32 forward 1048576",
              "r2r f64 forward 60x70x80 kinds dct3,dst2,dct1"},
             StreamStrategy::device_only, 2);
}

TEST_P(DeviceStreams, BatchesCrossOnce) {
  expect_all({"c2c f32 forward 24x24x24 batch 16", "c2c f16 forward 1000 batch 300",
              "r2c bf16 forward 1000 batch 300", "r2c f32 forward 1009 batch 300",
              "c2c f32 forward 64x64 batch 40 load 40x64 keep 3+60x0+64",
              "c2r f16 inverse 64x64 batch 50 scale 0.01", "c2c f64 forward 32x16 batch 50 reversed",
              "r2r f32 forward 100 batch 500 kinds dct2"},
             StreamStrategy::device_only, 1);
}

PoissonAxis axis(std::int64_t size, Boundary both = Boundary::periodic) {
  PoissonAxis a;
  a.size = quick() ? (size + 7) / 8 : size;
  a.low = a.high = both;
  return a;
}

PoissonAxis stretched(std::int64_t size) {
  PoissonAxis a = axis(size, Boundary::neumann);
  for (std::int64_t i = 0; i <= a.size; ++i)
    a.coordinates.push_back(std::tanh(4.0 * double(i) / double(a.size) - 2));
  return a;
}

void expect_solved_as_cpu(std::vector<PoissonAxis> const& axes) {
  PoissonProblem problem;
  problem.axes = axes;
  std::int64_t bytes = 4;
  std::string name;
  for (PoissonAxis const& a : axes) bytes *= a.size, name += std::to_string(a.size) + " ";
  SCOPED_TRACE(name);
  Numbers f = Numbers::noise(Precision::f32, bytes, 3), right = f;
  auto const reals = [](Numbers& x) { return static_cast<float*>(x.data()); };
  double const defect = Poisson(problem, on("cpu")).solve(reals(f), reals(right)).defect;
  for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
    Numbers got = Numbers::noise(Precision::f32, bytes, 4);
    StreamPoisson const solver(problem, limited(bytes * 3 / 2, strategy));
    EXPECT_NEAR(solver.solve(reals(f), reals(got)).defect, defect, 1e-6);
    EXPECT_LE(relative_error(right, got), 2e-5) << solver.describe();
    EXPECT_LE(solver.device_bytes(), bytes * 3 / 2);
  }
}

TEST(DeviceStreamedPoisson, InLittleMemory) {
  expect_solved_as_cpu({axis(96), axis(128), axis(100)});
  expect_solved_as_cpu({axis(96), axis(128, Boundary::neumann), axis(100, Boundary::dirichlet)});
}

TEST(DeviceStreamedPoisson, ByEliminationAlongAnyAxis) {
  expect_solved_as_cpu({stretched(96), axis(128), axis(100)});
  expect_solved_as_cpu({axis(96), stretched(128), axis(100)});
  expect_solved_as_cpu({axis(96), axis(128), stretched(100)});
}

}  // namespace
}  // namespace skipper::testing
