// Plans through the public interface: shapes in one line, types checked, there and back, many threads at once.
#include <gtest/gtest.h>

#include <skipper/skipper.h>

#include <cmath>
#include <thread>

#include "support/quick.h"

namespace skipper {
namespace {

template <class T>
using Complexes = std::vector<std::complex<T>>;

template <class T>
Complexes<T> numbers(std::size_t count, int seed = 1) {
  Complexes<T> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back({T(std::sin(1.0 * double(i) + seed)), T(std::cos(2.5 * double(i) - seed))});
  return result;
}

template <class T>
double distance(Complexes<T> const& a, Complexes<T> const& b) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), whole += std::norm(a[i]);
  return std::sqrt(error / whole);
}

// One-dimensional definition.
Complexes<double> definition(Complexes<double> const& in, int sign) {
  Complexes<double> out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k)
    for (std::size_t j = 0; j < in.size(); ++j)
      out[k] += in[j] * std::polar(1.0, sign * 2 * M_PI * double(j * k % in.size()) / double(in.size()));
  return out;
}

TEST(Plan, FromAShapeInOneLine) {
  Plan plan({6, 10});
  EXPECT_EQ(text(plan.problem()), "c2c f32 forward 6x10");
  EXPECT_EQ(text(Plan({7}, Precision::f64, Direction::inverse).problem()), "c2c f64 inverse 7");
  EXPECT_EQ(plan.device(), Device("best"));
  EXPECT_NE(plan.describe().find("6x10"), std::string::npos) << plan.describe();
}

TEST(Plan, ComputesTheDefinition) {
  for (std::int64_t const n : {1, 2, 5, 12, 17, 64, 100, 127}) {
    Complexes<double> const in = numbers<double>(std::size_t(n));
    Complexes<double> out(in.size());
    Plan({n}, Precision::f64).execute(in.data(), out.data());
    EXPECT_LT(distance(definition(in, -1), out), 1e-14) << n;
    Plan({n}, Precision::f64, Direction::inverse).execute(in.data(), out.data());
    EXPECT_LT(distance(definition(in, 1), out), 1e-14) << n;
  }
}

TEST(Plan, InverseBringsTheInputBack) {
  Plan const plan({8, 9, 10});
  Complexes<float> const in = numbers<float>(720);
  Complexes<float> out(720), back(720);
  plan.execute(in.data(), out.data());
  plan.inverse().execute(out.data(), back.data());
  EXPECT_LT(distance(in, back), 1e-6);

  Plan const real(r2c({6, 15}, 1, Precision::f64));
  std::vector<double> x(90), again(90);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(double(i * i));
  Complexes<double> half(6 * 8);
  real.execute(x.data(), half.data());
  Complexes<double> const kept = half;
  real.inverse().execute(half.data(), again.data());
  EXPECT_EQ(half, kept) << "the input is preserved";
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], again[i], 1e-13);
}

TEST(Plan, InPlaceAndWithWorkspace) {
  Plan const plan(in_place(c2c({4, 30}, 2, Precision::f64)));
  Plan const apart(c2c({4, 30}, 2, Precision::f64));
  Complexes<double> data = numbers<double>(240), out(240);
  apart.execute(data.data(), out.data());
  std::vector<std::byte> workspace(plan.workspace_bytes() + 64);
  auto const aligned = (reinterpret_cast<std::uintptr_t>(workspace.data()) + 63) / 64 * 64;
  plan.execute(data.data(), data.data(), {.workspace = reinterpret_cast<void*>(aligned)});
  EXPECT_LT(distance(data, out), 1e-15);
}

TEST(Plan, ChecksTypesAndPointers) {
  Plan const plan({16});
  Complexes<double> d(16);
  Complexes<float> f(16), g(16);
  std::vector<float> r(16);
  EXPECT_THROW(plan.execute(d.data(), d.data()), Error);
  EXPECT_THROW(plan.execute(r.data(), f.data()), Error);
  EXPECT_THROW(plan.execute(f.data(), r.data()), Error);
  EXPECT_THROW(plan.execute(r.data(), r.data()), Error);
  EXPECT_THROW(plan.execute(f.data(), f.data()), Error) << "out of place";
  EXPECT_THROW(plan.execute(f.data(), static_cast<std::complex<float>*>(nullptr)), Error);
  EXPECT_THROW(Plan(in_place(c2c({16}))).execute(f.data(), g.data()), Error) << "in place";
  try {
    plan.execute(d.data(), d.data());
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("complex f64"), std::string::npos) << e.what();
  }
}

TEST(Plan, RefusesBadArguments) {
  EXPECT_THROW(Plan({0}), Error);
  EXPECT_THROW(Plan({-4, 4}), Error);
  EXPECT_THROW(Plan(std::vector<std::int64_t>{}), Error);
  PlanSettings settings;
  settings.cpu.threads = -1;
  EXPECT_THROW(Plan(c2c({8}), settings), Error);
  settings.cpu.threads = 0;
  settings.cpu.instruction_set = "abacus";
  EXPECT_THROW(Plan(c2c({8}), settings), Error);
}

TEST(Plan, IsMadeAndExecutedByManyThreadsAtOnce) {
  int const rounds = testing::quick() ? 2 : 8;
  Plan const shared({30, 64});
  Complexes<float> const in = numbers<float>(30 * 64);
  Complexes<float> expected(in.size());
  shared.execute(in.data(), expected.data());
  std::vector<std::thread> threads;
  std::vector<int> wrong(16, 0);
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        Complexes<float> out(in.size());
        shared.execute(in.data(), out.data());
        wrong[std::size_t(t)] += out != expected;
        Plan const own({30, 64});
        Plan const copy = own;
        copy.execute(in.data(), out.data());
        wrong[std::size_t(t)] += out != expected;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(16, 0));
}

}  // namespace
}  // namespace skipper
