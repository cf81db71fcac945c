// What is not a plain array, on a real device: 16-bit storage, padding and cropping, convolution, functions of a
// user, Poisson problems.
#include "device/device.h"
#include "support/as_cpu.h"

namespace skipper::testing {
namespace {

class DeviceCallbacks : public Share {
 protected:
  void expect_all(std::vector<std::string> problems) const {
    if (quick()) problems.resize(3);
    each(problems, [](std::string const& problem) { expect_as_cpu(parse_problem(problem)); });
  }
};
INSTANTIATE_TEST_SUITE_P(Share, DeviceCallbacks, Share::all());

TEST_P(DeviceCallbacks, SixteenBitStorage) {
  expect_all({"c2c f16 forward 60 batch 3",
              "c2c f16 inverse 16x18 in-place scale 0.5",
              "r2c f16 forward 100 batch 3",
              "c2c f16 forward 4096 batch 1000",
              "c2c f16 forward 1000000",
              "c2c f16 forward 1009 batch 30",
              "c2c f16 inverse 128x128x128 scale 0.001",
              "r2c f16 forward 256x256 batch 4",
              "c2r f16 inverse 9x25",
              "c2r f16 inverse 4096 batch 10 scale 0.01",
              "r2r f16 forward 24x50 kinds dct2,dst4",
              "c2c f16 forward 65536 batch 3",
              "c2c bf16 forward 60 batch 3",
              "c2c bf16 inverse 16x18 in-place scale 0.5",
              "c2c bf16 forward 4096 batch 1000",
              "c2c bf16 forward 1009 batch 30",
              "c2c bf16 inverse 128x128x128 scale 0.001",
              "r2c bf16 forward 256x256 batch 4",
              "c2r bf16 inverse 9x25",
              "r2r bf16 forward 24x50 kinds dct2,dst4",
              "c2c bf16 forward 65536 batch 3"});
}

TEST_P(DeviceCallbacks, Convolutions) {
  std::vector<ConvolutionProblem> problems;
  for (bool complex : {false, true})
    for (Precision precision : {Precision::f32, Precision::f64, Precision::f16, Precision::bf16})
      for (std::vector<std::int64_t> const& shape :
           {std::vector<std::int64_t>{1000}, {300, 500}, {64, 64}, {60, 70, 50}, {200000}}) {
        ConvolutionProblem p;
        p.shape = shape, p.kernel.assign(shape.size(), 5), p.complex = complex, p.precision = precision;
        p.mode = complex ? ConvolutionMode::same : ConvolutionMode::full;
        p.batch = shape[0] < 100 ? 4 : 1;
        p.kernels = shape.size() == 3 ? p.batch : 1;
        problems.push_back(p);
      }
  if (quick()) problems.resize(2);
  each(problems, [](ConvolutionProblem const& problem) { expect_as_cpu(problem); });
}

TEST(DeviceFunctions, OfAUser) {
  Callbacks callbacks;
  callbacks.cuda_load =
      "Value on_load(Value x, long long place, void*) { return x * (1 + 0.001f * float(place % 1000)); }";
  callbacks.cuda_store =
      "Value on_store(Value x, long long, void*) { return {x.re * x.re + x.im * x.im, 0}; }";
  callbacks.load = [](CallbackRun const& run) {
    for (std::int64_t i = 0; i < run.count; ++i)
      run.as<float>()[i] *= 1 + 0.001f * float(run.index[run.axis] + i);
  };
  callbacks.store = [](CallbackRun const& run) {
    auto* const x = run.as<std::complex<float>>();
    for (std::int64_t k = 0; k < run.count; ++k) x[k] = std::norm(x[k]);
  };
  expect_as_cpu(r2c({1000}, 10), callbacks);
  expect_as_cpu(r2c({64, 1000}), callbacks);
  expect_as_cpu(r2c({40, 50, 1000}), callbacks);
}

TEST(DeviceFunctions, ThatDoNotCompileAreRefusedInTheCompilersWords) {
  PlanSettings settings = on("cuda:0");
  settings.callbacks.cuda_load = "Value on_load(Value x, long long, void*) { return x * nonsense; }";
  try {
    Plan const plan(c2c({16}), settings);
    FAIL() << "accepted";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "callbacks.cuda_load");
    EXPECT_NE(std::string(e.what()).find("nonsense"), std::string::npos) << e.what();
  }
}

PlanSettings staged_on_gpu() {
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  return settings;
}

Numbers noise_for(PoissonProblem const& problem) {
  std::int64_t bytes = 4;
  for (PoissonAxis const& a : problem.axes) bytes *= a.size;
  return Numbers::noise(Precision::f32, bytes, 3);
}

float* reals(Numbers& numbers) { return static_cast<float*>(numbers.data()); }

void expect_poisson_as_cpu(PoissonProblem const& problem) {
  Numbers f = noise_for(problem), right = f, got = f;
  double const defect = Poisson(problem, on("cpu")).solve(reals(f), reals(right)).defect;
  EXPECT_NEAR(Poisson(problem, staged_on_gpu()).solve(reals(f), reals(got)).defect, defect, 1e-6);
  EXPECT_LE(relative_error(right, got), 1e-5);
}

PoissonProblem poisson_problem() {
  PoissonProblem problem;
  for (std::int64_t n : {quick() ? 12 : 96, quick() ? 16 : 128, quick() ? 10 : 100}) {
    problem.axes.emplace_back();
    problem.axes.back().size = n;
  }
  return problem;
}

TEST(DevicePoisson, PeriodsCosinesAndElimination) {
  for (char const* axis : {"periodic", "by cosines", "by elimination"}) {
    SCOPED_TRACE(axis);
    PoissonProblem problem = poisson_problem();
    if (std::string(axis) != "periodic") problem.axes[0].low = problem.axes[0].high = Boundary::neumann;
    problem.axes[0].tridiagonal = std::string(axis) == "by elimination";
    expect_poisson_as_cpu(problem);
  }
}

/// No fused inverse takes these: few periods with symbols that are not of second order, or a shift above zero.
TEST(DevicePoisson, InPlainSteps) {
  PoissonProblem walls = poisson_problem();
  for (PoissonAxis& axis : walls.axes) axis.low = axis.high = Boundary::dirichlet;
  walls.axes[1].low = Boundary::neumann;
  PoissonProblem spectral = walls, shifted = walls;
  spectral.symbols = Symbols::spectral;
  shifted.shift = 1.5;
  for (PoissonProblem const& problem : {walls, spectral, shifted}) expect_poisson_as_cpu(problem);
}

TEST(DevicePoisson, WithoutAUniqueSolution) {
  PoissonProblem problem = poisson_problem();
  problem.zero_mode = ZeroMode::pin;
  expect_poisson_as_cpu(problem);
  problem.zero_mode = ZeroMode::error;
  Numbers f = noise_for(problem), phi = f;
  Poisson const solver(problem, staged_on_gpu());
  EXPECT_THROW(solver.solve(reals(f), reals(phi)), Error) << "noise has a mean";
  EXPECT_EQ(relative_error(f, phi), 0) << "phi is left as it was";
}

TEST_P(DeviceCallbacks, PaddingAndCropping) {
  expect_all({"c2c f32 forward 16x12 batch 3 load 10x12 keep 3+12x0+0",
              "c2r f32 inverse 64x128 keep 2+60x10+100", "r2c f32 forward 64x128 load 40x100 keep 0+0x0+20",
              "c2c f32 forward 1000000 load 3000 keep 700+990000", "c2c f32 forward 4096 batch 100 load 2000",
              "r2c f32 forward 512x512x8 load 300x511x5", "c2r f32 inverse 4096 batch 10 keep 1000+2001",
              "c2c f64 inverse 100x100x100 keep 0+50x50+50x25+50",
              "r2r f64 forward 24x50 kinds dct2,dst4 load 20x50 keep 1+2x2+3",
              "c2c f32 forward 2039 load 1500 keep 1+2000"});
}

}  // namespace
}  // namespace skipper::testing
