// What is not a plain array, on the fake driver through the public Plan: 16-bit storage, padding,
// cropping, and functions of a user.
#include "gpu/fake_driver/fixture.h"
#include "architecture/files.h"
#include "support/as_cpu.h"

namespace skipper::testing {
namespace {

class GpuCallbacks : public FakeDriver {};

TEST_F(GpuCallbacks, SixteenBitStorage) {
  for (char const* problem :
       {"c2c f16 forward 60 batch 3", "c2c f16 inverse 16x18 in-place scale 0.5", "c2c f16 forward 20000",
        "r2c f16 forward 100 batch 3", "c2r f16 inverse 9x25", "r2r f16 forward 24x5 kinds dct2,dst4",
        "c2c bf16 forward 60 batch 3", "c2c bf16 inverse 16x18 in-place scale 0.5", "c2c bf16 forward 20000",
        "r2c bf16 forward 100 batch 3", "c2r bf16 inverse 9x25", "r2r bf16 forward 24x5 kinds dct2,dst4"})
    expect_as_cpu(parse_problem(problem));
}

TEST_F(GpuCallbacks, HartleyTransforms) {
  for (char const* problem :
       {"r2r f32 forward 60 kinds dht batch 3", "r2r f64 forward 16x18 kinds dht,dht in-place",
        "r2r f16 forward 24x5 kinds dht,dct2", "r2r f32 forward 127 kinds dht batch 4",
        "r2r f32 forward 40000 kinds dht", "r2r f32 forward 24x10 kinds dht,dst3 load 20x5 keep 1+2x2+3",
        "c2c f32 forward 12x10 kinds dht,fourier"})
    expect_as_cpu(parse_problem(problem));
}

TEST_F(GpuCallbacks, PaddingAndCropping) {
  for (char const* problem :
       {"c2c f32 forward 16x12 batch 3 load 10x12 keep 3+12x0+0",
        "c2c f32 forward 20000 load 300 keep 19000+1000", "r2c f32 forward 64x128 load 40x100 keep 0+0x0+20",
        "c2r f32 inverse 64x128 keep 2+60x10+100",
        "r2r f64 forward 24x5 kinds dct2,dst4 load 20x5 keep 1+2x2+3"})
    expect_as_cpu(parse_problem(problem));
}

/// What stands between marks in the guide, the n-th time.
std::string in_guide(int n) {
  std::string const guide = architecture::read(architecture::root() / "docs/guide.md"), open = "R\"cuda(",
                    close = ")cuda\"";
  std::size_t at = 0;
  for (int i = 0; i <= n; ++i) at = guide.find(open, at) + open.size();
  return guide.substr(at, guide.find(close, at) - at);
}

TEST_F(GpuCallbacks, TheGuidesFunctions) {
  Callbacks callbacks;
  callbacks.cuda_load = in_guide(0);
  callbacks.cuda_store = in_guide(1);
  callbacks.load = [](CallbackRun const& run) {
    for (std::int64_t i = 0; i < run.count; ++i)
      run.as<float>()[i] *= 0.5f - 0.5f * std::cos(float(run.index[run.axis] + i) * 6.2831853f / 256);
  };
  callbacks.store = [](CallbackRun const& run) {
    for (std::int64_t k = 0; k < run.count; ++k)
      run.as<std::complex<float>>()[k] = std::abs(run.as<std::complex<float>>()[k]);
  };
  expect_as_cpu(r2c({256}, 10), callbacks);
}

/// Scaled by the place of the element: what both sides of both engines can know.
template <class T>
Callbacks by_place(std::int64_t stored_in, std::int64_t stored_out) {
  Callbacks callbacks;
  std::string const weight = "x * (1 + 0.01f * float(place % ";
  callbacks.cuda_load = "Value on_load(Value x, long long place, void*) { return " + weight +
                        std::to_string(stored_in) + ")); }";
  callbacks.cuda_store = "Value on_store(Value x, long long place, void*) { return " + weight +
                         std::to_string(stored_out) + ")); }";
  auto const scaled = [](CallbackRun const& run) {  // along the last axis
    for (std::int64_t i = 0; i < run.count; ++i) run.as<T>()[i] *= 1 + 0.01f * float(run.index[run.axis] + i);
  };
  callbacks.load = callbacks.store = scaled;
  return callbacks;
}

TEST_F(GpuCallbacks, FunctionsOfAUserOnEverySide) {
  expect_as_cpu(parse_problem("c2c f32 forward 60 batch 3"), by_place<std::complex<float>>(60, 60));
  expect_as_cpu(parse_problem("c2c f32 inverse 20000 scale 0.5"),
                by_place<std::complex<float>>(20000, 20000));
  expect_as_cpu(parse_problem("c2c f16 forward 60 batch 3"), by_place<std::complex<float>>(60, 60));
  expect_as_cpu(parse_problem("c2c bf16 forward 60 batch 3"), by_place<std::complex<float>>(60, 60));
  expect_as_cpu(parse_problem("r2r f32 forward 36 kinds dct2"), by_place<float>(36, 36));
  expect_as_cpu(parse_problem("c2c f32 forward 60 load 41 keep 0+50"), by_place<std::complex<float>>(41, 50));
}

TEST_F(GpuCallbacks, FunctionsSeeRealsThatMoveInPairs) {
  Callbacks callbacks = by_place<float>(64, 33);
  callbacks.store = nullptr, callbacks.cuda_store.clear();
  for (char const* problem : {"r2c f32 forward 64 batch 3", "r2c f32 forward 64 load 64 batch 2",
                              "r2c f16 forward 64", "r2c bf16 forward 64"})
    expect_as_cpu(parse_problem(problem), callbacks);
  callbacks = by_place<float>(33, 64);
  callbacks.load = nullptr, callbacks.cuda_load.clear();
  expect_as_cpu(parse_problem("c2r f32 inverse 64 batch 3"), callbacks);
}

TEST_F(GpuCallbacks, FunctionsAreGivenData) {
  DeviceArray<float> weights(std::vector<float>{1, 2, 3, 4});
  PlanSettings settings;
  settings.device = Device("cuda:0");
  settings.callbacks.cuda_store =
      "Value on_store(Value x, long long place, void* data) { return static_cast<float*>(data)[place] * x; }";
  settings.callbacks.cuda_data = weights.data();
  std::vector<std::complex<float>> const impulse{1, 0, 0, 0};
  DeviceArray<std::complex<float>> from(impulse), to(4);
  Plan(c2c({4}), settings).execute(from.data(), to.data());
  for (int k = 0; k < 4; ++k) EXPECT_EQ(to.values()[std::size_t(k)], std::complex<float>(float(k + 1)));
}

std::string refusal(Problem const& problem, Callbacks const& callbacks, std::string const& argument) try {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  settings.callbacks = callbacks;
  Plan const plan(problem, settings);
  ADD_FAILURE() << "accepted";
  return "";
} catch (Error const& e) {
  EXPECT_EQ(e.argument(), argument) << e.what();
  return e.what();
}

TEST_F(GpuCallbacks, RefusesFunctionsThatCannotBe) {
  Callbacks callbacks;
  callbacks.cuda_load = "Value on_load(Value x, long long place, void*) { return x * nonsense; }";
  std::string const why = refusal(c2c({16}), callbacks, "callbacks.cuda_load");
  EXPECT_NE(why.find("nonsense"), std::string::npos) << "what the compiler says: " << why;
  callbacks = {};
  callbacks.cuda_store = "int on_something_else();";
  refusal(c2c({16}), callbacks, "callbacks.cuda_store");
  callbacks = {};
  callbacks.load = [](CallbackRun const&) {};
  refusal(c2c({16}), callbacks, "callbacks.load");
  callbacks = {};
  callbacks.cuda_load = "Value on_load(Value x, long long, void*) { return x; }";
  refusal(parse_problem("c2c f32 forward 8x8 kinds dct2,fourier"), callbacks, "callbacks");
}

template <class S>
void expect_numbers_of_16_bits(Precision precision) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  Plan const plan(c2c({64}, 1, precision), settings);
  std::vector<S> in(129), out(128);
  in[0] = S(1.0f);
  DeviceArray<S> from(in), to(out);
  plan.execute(from.data(), to.data());
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(float(to.values()[i]), i % 2 == 0 ? 1.0f : 0.0f);
  try {
    plan.execute(from.data() + 1, to.data());  // a complex number is four bytes
    FAIL() << "accepted";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "in");
  }
}

TEST_F(GpuCallbacks, SixteenBitArraysAreTyped) {
  expect_numbers_of_16_bits<Half>(Precision::f16);
  expect_numbers_of_16_bits<BFloat16>(Precision::bf16);
  PlanSettings settings;
  settings.device = Device("cuda:0");
  DeviceArray<Half> halves(128), more(128);
  EXPECT_THROW(Plan(c2c({64}, 1, Precision::bf16), settings).execute(halves.data(), more.data()), Error);
}

}  // namespace
}  // namespace skipper::testing
