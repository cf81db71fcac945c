// Ends of their own on the CPU: f16 storage, padded inputs, cropped outputs, functions on load and store; each against
// the same problem done in the long way.
#include "cpu/ends.h"

#include <gtest/gtest.h>
#include <skipper/half.h>

#include <atomic>
#include <complex>

#include "cpu/half.h"
#include "cpu/host.h"
#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

std::vector<Problem> shapes(Precision precision) {
  std::vector<Problem> all;
  for (std::vector<Index> const& shape : {std::vector<Index>{1}, {16}, {17}, {30, 8}, {6, 5, 14}, {3, 128}})
    for (Index batch : {1, 5, 37}) {
      all.push_back(c2c(shape, batch, precision, batch == 5 ? Direction::inverse : Direction::forward));
      all.push_back(r2c(shape, batch, precision));
      all.push_back(c2r(shape, batch, precision));
      all.push_back(r2r(shape, std::vector<AxisKind>(shape.size(), AxisKind::dct2), batch, precision));
    }
  Problem mixed = r2c({9, 12, 7}, 3, precision);
  mixed.axes[2].kind = AxisKind::dst1;
  all.push_back(dense_layout(mixed));
  Problem columns;
  columns.precision = precision;
  columns.axes = {{20, 6, 1}};
  columns.batch = {{6, 1, 20}};
  all.push_back(columns);
  for (auto const& [kind, in, out] :
       {std::tuple(Kind::c2c, Index(50), Index(50)), {Kind::r2c, 50, 70}, {Kind::c2r, 50, 90}}) {
    Problem side_by_side;  // 3 x 12 points 50 and more apart, of lines that are neighbours, 4 times
    side_by_side.precision = precision;
    side_by_side.kind = kind;
    side_by_side.direction = kind == Kind::c2r ? Direction::inverse : Direction::forward;
    side_by_side.axes = {{3, 12 * in, 12 * out}, {12, in, out}};
    side_by_side.batch = {{4, 3 * 12 * in, 3 * 12 * out}, {45, 1, 1}};
    all.push_back(side_by_side);
  }
  return all;
}

template <class T>
std::vector<T> done(Problem const& p, std::vector<T> const& in, Options const& options = {}) {
  std::vector<T> out(static_cast<std::size_t>(out_bytes(p)) / sizeof(T));
  Transform(p, host_machine(), options).execute(in.data(), out.data());
  return out;
}

void expect_f32_rounded(Problem const& p, int threads) {
  Problem wide = p;
  wide.precision = Precision::f32;
  std::vector<float> x = random_scalars<float>(in_bytes(wide) / 4, 2);
  std::vector<Half> half(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = half[i];
  std::vector<Half> const kept = half;
  std::vector<float> const exact = done(wide, x);
  std::vector<Half> const got = done(p, half, {threads, "", {}, {}});
  EXPECT_EQ(std::memcmp(half.data(), kept.data(), half.size() * sizeof(Half)), 0)
      << "input changed: " << text(p);
  ASSERT_EQ(got.size(), exact.size());
  for (std::size_t i = 0; i < got.size();
       ++i)  // batches may be done in other vectors: half a digit of f16 at most
    ASSERT_NEAR(float(got[i]), exact[i], 0x1p-11f * std::abs(exact[i]) + 2e-6f) << text(p) << " at " << i;
}

/// Of an f16 problem one array may be in f32. With a small cache it goes by several pieces.
TEST(Half, OneArrayMayBeInF32) {
  Machine small = host_machine();
  small.l2_bytes = 20000;
  for (Problem const& p : shapes(Precision::f16)) {
    Problem wide = p;
    wide.precision = Precision::f32;
    std::vector<float> x = random_scalars<float>(in_bytes(wide) / 4, 2);
    std::vector<Half> const half(x.begin(), x.end());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = half[i];
    std::vector<float> const exact = done(wide, x);
    for (Machine const& machine : {host_machine(), small})
      for (int threads : {1, 3}) {
        std::vector<float> got(exact.size());
        Transform(p, machine, {threads, "", {}, {}, {}, HalfEnds::input}).execute(half.data(), got.data());
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_NEAR(got[i], exact[i], 1e-6f * std::abs(exact[i]) + 1e-5f) << text(p) << " at " << i;
        std::vector<Half> rounded(exact.size()), both(exact.size());
        Transform(p, machine, {threads, "", {}, {}, {}, HalfEnds::output}).execute(x.data(), rounded.data());
        Transform(p, machine, {threads, ""}).execute(half.data(), both.data());
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_NEAR(float(rounded[i]), exact[i], 0x1p-11f * std::abs(exact[i]) + 1e-5f)
              << text(p) << " at " << i;
          ASSERT_NEAR(float(both[i]), exact[i], 0x1p-11f * std::abs(exact[i]) + 1e-5f)
              << text(p) << " at " << i;
        }
      }
  }
}

TEST(Half, IsF32OnRoundedInputRoundedOnce) {
  for (Problem const& p : shapes(Precision::f16))
    for (int threads : {1, 3}) expect_f32_rounded(p, threads);
}

/// f32 itself is held to the definition for the same lengths (lengths_test.cpp, trig_step_test.cpp).
TEST(Half, OfEveryLength) {
  for (Index n = 1; n <= 2048; n += quick() ? 13 : 1) {
    expect_f32_rounded(c2c({n}, 1, Precision::f16), 1);
    expect_f32_rounded(r2c({n}, 1, Precision::f16), 1);
    expect_f32_rounded(c2r({n}, 1, Precision::f16), 1);
    if (n > 1)
      expect_f32_rounded(
          r2r({n}, {real_axis_kinds[std::size_t(n) % real_axis_kinds.size()]}, 1, Precision::f16), 1);
    if (HasFailure()) FAIL() << n;
  }
}

TEST(Half, InPlace) {
  Problem const p = in_place(r2c({4, 10}, 3, Precision::f16)), apart = r2c({4, 10}, 3, Precision::f16);
  std::vector<Half> x(120), both(3 * 4 * 12);
  for (int i = 0; i < 120; ++i) x[i] = both[i / 10 * 12 + i % 10] = Half(float(i % 7) - 3);
  Transform(p, host_machine()).execute(both.data(), both.data());
  std::vector<Half> const y = done(apart, x);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(both[i].bits, y[i].bits);
}

TEST(Half, SpecialValuesFollowIeee) {
  EXPECT_EQ(Half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65519.9f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Half(-1e9f).bits, 0xfc00);
  EXPECT_EQ(Half(0x1p-25f).bits, 0);
  EXPECT_EQ(Half(0x1.002p-25f).bits, 1);
  EXPECT_EQ(Half(0x1.8p-24f).bits, 2);  // ties go to even
  EXPECT_EQ(Half(-0.0f).bits, 0x8000);
  EXPECT_EQ(Half(0x1.ffcp-15f).bits, 0x03ff + 1);  // rounds up into the normal numbers
  EXPECT_TRUE(std::isnan(float(Half(NAN))));
  for (int bits = 0; bits < 65536; ++bits) {
    float const value = half_value(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      EXPECT_EQ(half_bits(value), bits);
    }
  }
  // a transform of length 1 moves them through the engine
  std::vector<Half> x(10), y;
  float const values[] = {INFINITY, -INFINITY, NAN, 0x1p-24f, -0x1p-24f, 65504, 0, 1, 0x1p-14f, -0.0f};
  for (int i = 0; i < 10; ++i) x[i] = Half(values[i]);
  Problem p = c2c({1}, 5, Precision::f16);
  y = done(p, x);
  for (int i = 0; i < 10; ++i)
    if (i != 2) {
      EXPECT_EQ(y[i].bits, x[i].bits);
    }
  EXPECT_TRUE(std::isnan(float(y[2])));
  p.scale = 2;
  EXPECT_EQ(done(p, x)[5].bits, 0x7c00);
}

TEST(Half, InstructionsAgreeWithSoftware) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 200001; ++i) values.push_back(std::bit_cast<float>(i * 21473u));
  std::vector<std::uint16_t> soft(values.size()), hard(values.size());
  narrow_in_software(values.data(), soft.data(), Index(values.size()));
  for (std::string const& set : instruction_sets()) {
    HalfKernels const& halves = variant(set).f32->halves;
    halves.narrow(values.data(), hard.data(), Index(values.size()));
    EXPECT_EQ(soft, hard) << set;
    std::vector<float> back(values.size()), again(values.size());
    widen_in_software(soft.data(), back.data(), Index(values.size()));
    halves.widen(soft.data(), again.data(), Index(values.size()));
    EXPECT_EQ(std::memcmp(back.data(), again.data(), sizeof(float) * back.size()), 0) << set;
  }
}

/// The array of a whole side out of a part of it: zeros around, or what lies within.
template <class T>
std::vector<T> padded(Problem const& partial, Problem const& whole, std::vector<T> const& in, Index parts) {
  std::vector<T> all(static_cast<std::size_t>(in_bytes(whole)) / sizeof(T));
  Layout const from = layout(partial, false), to = layout(whole, false);
  std::vector<Index> places;
  each_point(from.sizes, to.strides, [&](Index, Index at) { places.push_back(at); });
  each_point(from.sizes, from.strides, [&](Index i, Index at) {
    for (Index part = 0; part < parts; ++part) all[places[i] * parts + part] = in[at * parts + part];
  });
  return all;
}

TEST(Parts, PaddingAndCroppingAreTheWholeProblems) {
  std::mt19937 random(3);
  for (Precision precision : {Precision::f32, Precision::f64})
    for (Problem const& whole : shapes(precision)) {
      Problem p = whole;
      for (std::size_t i = 0; i < p.axes.size(); ++i) {
        if (random() % 4) p.axes[i].in_count = 1 + static_cast<Index>(random()) % in_size(whole, i);
        Index const n = out_size(whole, i);
        if (random() % 4 == 0) continue;
        p.axes[i].out_first = static_cast<Index>(random()) % n;
        p.axes[i].out_count = 1 + static_cast<Index>(random()) % (n - p.axes[i].out_first);
      }
      p = dense_layout(p);
      Problem const dense = dense_layout(whole);
      auto compare = [&]<class T>(T) {
        Index const parts = in_element_bytes(p) / Index(sizeof(T)),
                    out_parts = out_element_bytes(p) / Index(sizeof(T));
        std::vector<T> const x = random_scalars<T>(in_bytes(p) / Index(sizeof(T)), 9);
        std::vector<T> const y = done(p, x), all = done(dense, padded(p, dense, x, parts));
        Layout const part = layout(p, true), full = layout(dense, true);
        Index first = 0;
        for (std::size_t i = 0; i < p.axes.size(); ++i)
          first += p.axes[i].out_first * dense.axes[i].out_stride;
        std::vector<Index> places;
        each_point(part.sizes, full.strides, [&](Index, Index at) { places.push_back(first + at); });
        double const near = sizeof(T) == 4 ? 2e-5 : 1e-13;
        each_point(part.sizes, part.strides, [&](Index i, Index at) {
          for (Index k = 0; k < out_parts; ++k)
            ASSERT_NEAR(y[at * out_parts + k], all[places[i] * out_parts + k], near) << text(p);
        });
      };
      if (precision == Precision::f32)
        compare(float());
      else
        compare(double());
    }
}

TEST(Functions, OnLoadAndStoreSeeEveryElementOnce) {
  for (int threads : {1, 4}) {
    Problem p = c2c({8, 12}, 50, Precision::f64);
    p.axes[0].in_count = 5;
    p = dense_layout(p);
    std::vector<double> const x = random_scalars<double>(in_bytes(p) / 8, 6);
    std::atomic<Index> loaded = 0, stored = 0;
    Options options;
    options.threads = threads;
    options.load = [&](Segment const& run) {
      loaded += run.count;
      for (Index i = 0; i < run.count; ++i) run.as<std::complex<double>>()[i] *= double(run.index[0] + 1);
      EXPECT_LT(run.index[1], 5);
      EXPECT_EQ(run.axis, 2u);
    };
    options.store = [&](Segment const& run) {
      stored += run.count;
      for (Index i = 0; i < run.count; ++i) run.as<std::complex<double>>()[i] /= double(run.index[0] + 1);
    };
    std::vector<double> const plain = done(p, x), changed = done(p, x, options);
    EXPECT_EQ(loaded, 50 * 5 * 12);
    EXPECT_EQ(stored, 50 * 8 * 12);
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(plain[i], changed[i], 1e-12);
  }
}

TEST(Functions, WhatTheyThrowIsThrown) {
  Options options;
  options.load = [](Segment const&) { throw Error("window", "is closed"); };
  std::vector<float> x(2 * 16 * 20);
  EXPECT_THROW(done(c2c({16}, 20), x, options), Error);
}

}  // namespace
}  // namespace skipper::cpu::testing
