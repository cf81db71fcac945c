// The public plan for data that go through memory slice by slice, on the CPU.
#include <skipper/plan.h>
#include <skipper/stream.h>

#include <gtest/gtest.h>

#include <cmath>

namespace skipper {
namespace {

std::vector<std::complex<double>> ramp(std::size_t n) {
  std::vector<std::complex<double>> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {std::sin(double(i)), std::cos(double(3 * i))};
  return values;
}

double difference(std::vector<std::complex<double>> const& a, std::vector<std::complex<double>> const& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(StreamPlan, EqualsThePlanInMemory) {
  for (Problem const& p : {c2c({24, 20, 16}, 1, Precision::f64), c2c({6000}, 1, Precision::f64),
                           c2c({50}, 60, Precision::f64, Direction::inverse)}) {
    auto const in = ramp(std::size_t(in_bytes(p)) / 16);
    std::vector<std::complex<double>> out(in.size()), expected(in.size());
    Plan(p).execute(in.data(), expected.data());
    StreamSettings settings;
    settings.memory_limit = in_bytes(p) / 4;
    settings.cpu.threads = 2;
    int calls = 0;
    settings.progress = [&](StreamProgress const&) { return ++calls > 0; };
    StreamPlan const plan(p, settings);
    EXPECT_LE(plan.device_bytes(), settings.memory_limit);
    plan.execute(in.data(), out.data());
    EXPECT_LT(difference(out, expected), 1e-11);
    if (!p.batch.empty()) {
      EXPECT_EQ(out, expected) << "each transform is one piece of work there and here";
    }
    EXPECT_GT(calls, 2);
    EXPECT_EQ(plan.trips(), p.batch.empty() ? 2 : 1);
    EXPECT_NE(plan.describe().find("slices"), std::string::npos);
    std::vector<std::complex<double>> work(std::size_t(plan.workspace_bytes()) / 16), again(in.size());
    plan.execute(in.data(), again.data(), {.workspace = work.empty() ? nullptr : work.data()});
    EXPECT_EQ(again, out);
  }
}

TEST(StreamPlan, WithoutALimitItIsOneSlice) {
  StreamPlan const plan(c2c({32, 32}));
  EXPECT_EQ(plan.trips(), 1);
  EXPECT_NE(plan.describe().find("1 slices"), std::string::npos) << plan.describe();
}

std::string fault(auto&& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

TEST(StreamPlan, RefusesByName) {
  Problem const p = c2c({16, 16});
  std::vector<std::complex<float>> data(256), other(256);
  StreamPlan const plan(p);
  EXPECT_EQ(fault([&] { plan.execute(static_cast<void*>(nullptr), data.data()); }), "in");
  EXPECT_EQ(fault([&] { plan.execute(data.data(), static_cast<void*>(nullptr)); }), "out");
  EXPECT_EQ(fault([&] { plan.execute(data.data(), data.data()); }), "out");
  EXPECT_EQ(fault([&] { StreamPlan(in_place(p)).execute(data.data(), other.data()); }), "out");
  StreamSettings settings;
  settings.memory_limit = 1;
  EXPECT_EQ(fault([&] { StreamPlan(p, settings); }), "memory_limit");
  settings.memory_limit = -1;
  EXPECT_EQ(fault([&] { StreamPlan(p, settings); }), "memory_limit");
  settings = {};
  settings.cpu.threads = -1;
  EXPECT_EQ(fault([&] { StreamPlan(p, settings); }), "cpu.threads");
  settings = {};
  settings.progress = [](StreamProgress const&) { return false; };
  EXPECT_THROW(StreamPlan(p, settings).execute(data.data(), other.data()), Cancelled);
}

}  // namespace
}  // namespace skipper
