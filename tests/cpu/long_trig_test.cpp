// Cosine and sine lines that are done by sweeps of all threads, against the same lines done by one: a machine with little
// cache makes them long. What the latter gives is compared with the definitions in trig_step_test.cpp and engine_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/kinds.h"
#include "cpu/oracle.h"
#include "support/uniform.h"

namespace skipper::cpu::testing {
namespace {

Machine machine_of(Index l2_bytes) {
  Machine m = host_machine();
  m.l2_bytes = l2_bytes;
  return m;
}

template <class T>
double difference(Problem const& p, int threads) {
  std::mt19937 random(7);
  skipper::testing::Uniform<double> uniform;
  std::size_t const in_count = std::size_t(in_bytes(p)) / sizeof(T),
                    out_count = std::size_t(out_bytes(p)) / sizeof(T);
  std::vector<T> in(in_count), one = unset<T>(Index(out_count)), other = one;
  for (T& x : in) x = T(uniform(random));
  Transform const whole(p, machine_of(Index(1) << 30), {1, ""}), swept(p, machine_of(4096), {threads, ""});
  EXPECT_NE(whole.describe(), swept.describe());
  EXPECT_NE(swept.describe().find("pack"), std::string::npos) << swept.describe();
  if (p.placement == Placement::in_place) {
    one = other = in;
    execute_unset(whole, one.data(), one.data());
    execute_unset(swept, other.data(), other.data());
  } else {
    execute_unset(whole, in.data(), one.data());
    execute_unset(swept, in.data(), other.data());
  }
  double error = 0, size = 0;
  each_output(p, [&](Index i) {
    error += double(one[i] - other[i]) * double(one[i] - other[i]);
    size += double(one[i]) * double(one[i]);
  });
  return std::sqrt(error / size);
}

std::vector<std::string> const kinds = [] {
  std::vector<std::string> names;
  for (AxisKind kind : real_axis_kinds) names.emplace_back(name(kind));
  return names;
}();

TEST(LongTrig, AllKindsAndLengths) {
  // Even and odd, with and without large primes, of few and of many entries to a block.
  std::size_t number = 0;
  for (int const n : {2050, 4097, 8192, 8193, 8191, 8963, 9001, 9003, 9999, 16384, 16448, 17000, 18434})
    for (std::string const& kind : kinds) {
      if (!takes(number++, 7)) continue;
      std::string const size = std::to_string(n);
      EXPECT_LT(difference<float>(parse_problem("r2r f32 " + size + " kinds " + kind), 2), 1e-6) << kind << n;
      EXPECT_LT(difference<double>(parse_problem("r2r f64 " + size + " kinds " + kind + " norm ortho"), 1),
                2e-15)
          << kind << n;
    }
}

// Lengths of which Rader's rule makes nothing become sums over halves, at whatever place of a program they come up.
TEST(LongTrig, OddLinesAreSumsOverHalves) {
  std::size_t number = 0;
  for (char const* const text : {"8963 kinds dct2", "8963 kinds dct3", "8963 kinds dct4", "8964 kinds dct1",
                                 "8962 kinds dst1", "9003 kinds dst2", "17927 kinds dct1"}) {
    if (!takes(number++, 2)) continue;
    Problem const p = parse_problem(std::string("r2r f32 ") + text);
    std::string const sweeps = Transform(p, machine_of(4096), {1, ""}).describe();
    EXPECT_NE(sweeps.find("even half of"), std::string::npos) << sweeps;
    EXPECT_LT(difference<float>(p, 2), 1e-6) << text;
    EXPECT_LT(difference<double>(parse_problem(std::string("r2r f64 ") + text + " in-place"), 3), 2e-15)
        << text;
  }
}

TEST(LongTrig, InPlaceAndBatches) {
  for (std::string const& kind : kinds) {
    EXPECT_LT(difference<float>(parse_problem("r2r f32 10000 batch 3 kinds " + kind), 2), 1e-6) << kind;
    EXPECT_LT(difference<double>(parse_problem("r2r f64 10001 kinds " + kind + " in-place"), 2), 2e-15)
        << kind;
  }
}

TEST(LongTrig, StridesAndOtherAxes) {
  for (std::string const& kind : kinds) {
    Problem strided = parse_problem("r2r f32 10000 kinds " + kind);
    strided.axes[0].in_stride = 3, strided.axes[0].out_stride = 2;
    EXPECT_LT(difference<float>(strided, 2), 1e-6) << kind;
    EXPECT_LT(difference<float>(parse_problem("r2r f32 5x9000 kinds dct2," + kind), 2), 1e-6) << kind;
  }
}

TEST(LongTrig, ThreadsChangeNoBit) {
  for (std::string const& kind : kinds) {
    Problem const p = parse_problem("r2r f32 20001 kinds " + kind);
    std::vector<float> in(20001), one(20001), three(20001);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i % 17) - 8;
    execute_unset(Transform(p, machine_of(4096), {1, ""}), in.data(), one.data());
    execute_unset(Transform(p, machine_of(4096), {3, ""}), in.data(), three.data());
    EXPECT_EQ(one, three) << kind;
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
