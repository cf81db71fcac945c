// 16-bit storage on the CPU, f16 and bf16: every value and every rounding of the conversions, in software and by each
// instruction set; and transforms, which are those of f32 on the rounded input, rounded once.
#include <gtest/gtest.h>
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <cmath>
#include <limits>

#include "base/kinds.h"
#include "cpu/conversions.h"
#include "cpu/host.h"
#include "cpu/oracle.h"
#include "cpu/shapes.h"
#include "support/scalars.h"

namespace skipper::cpu::testing {
namespace {

template <class S>
struct Format;
template <>
struct Format<Half> {
  static constexpr Precision precision = Precision::f16;
  static constexpr unsigned infinity = 0x7c00;
  static constexpr double beyond = 0x1p16;  // what would come after the largest number
  static constexpr double smallest = 0x1p-24, smallest_normal = 0x1p-14;
  static Conversions const& conversions(Kernels const& kernels) { return kernels.f16; }
};
template <>
struct Format<BFloat16> {
  static constexpr Precision precision = Precision::bf16;
  static constexpr unsigned infinity = 0x7f80;
  static constexpr double beyond = 0x1p128;
  static constexpr double smallest = 0x1p-133, smallest_normal = 0x1p-126;
  static Conversions const& conversions(Kernels const& kernels) { return kernels.bf16; }
};

template <class S>
S with_bits(unsigned bits) {
  S x;
  x.bits = static_cast<std::uint16_t>(bits);
  return x;
}

template <class S>
class Storage : public ::testing::Test {};
using Formats = ::testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(Storage, Formats);

TYPED_TEST(Storage, EveryValueComesBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float const value = with_bits<TypeParam>(bits);
    bool const nan = (bits & 0x7fff) > Format<TypeParam>::infinity;
    ASSERT_EQ(std::isnan(value), nan) << bits;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    TypeParam const back(value);
    if (nan)
      ASSERT_TRUE(std::isnan(float(back)) && std::signbit(float(back)) == std::signbit(value)) << bits;
    else
      ASSERT_EQ(back.bits, bits);
  }
  unsigned const infinity = Format<TypeParam>::infinity;
  EXPECT_EQ(float(with_bits<TypeParam>(infinity)), INFINITY);
  EXPECT_EQ(float(with_bits<TypeParam>(infinity | 0x8000)), -INFINITY);
  EXPECT_EQ(float(with_bits<TypeParam>(1)), Format<TypeParam>::smallest);
  EXPECT_EQ(float(TypeParam(1.0f)), 1.0f);
}

/// Between every two neighbours: below the middle down, above it up, the middle itself to the even one.
TYPED_TEST(Storage, RoundsToNearestTiesToEven) {
  unsigned const infinity = Format<TypeParam>::infinity;
  for (unsigned low = 0; low < infinity; ++low) {
    double const below = float(with_bits<TypeParam>(low));
    double const above =
        low + 1 == infinity ? Format<TypeParam>::beyond : float(with_bits<TypeParam>(low + 1));
    float const middle = float((below + above) / 2);
    ASSERT_EQ(middle, (below + above) / 2);
    unsigned const even = low + low % 2;
    for (unsigned const sign : {0u, 0x8000u}) {
      float const factor = sign ? -1 : 1;
      ASSERT_EQ(TypeParam(factor * middle).bits, even | sign) << low;
      ASSERT_EQ(TypeParam(factor * std::nextafter(middle, 0.0f)).bits, low | sign) << low;
      ASSERT_EQ(TypeParam(factor * std::nextafter(middle, INFINITY)).bits, (low + 1) | sign) << low;
    }
  }
  EXPECT_EQ(TypeParam(INFINITY).bits, infinity);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::max()).bits, infinity);
  EXPECT_EQ(TypeParam(-0.0f).bits, 0x8000);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::denorm_min()).bits, 0);
}

/// Also of a NaN whose only digits are those that are cut off.
TYPED_TEST(Storage, EveryNanStaysOne) {
  for (std::uint32_t const bits :
       {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu, 0x7fc00000u, 0x7f808000u})
    EXPECT_TRUE(std::isnan(float(TypeParam(std::bit_cast<float>(bits))))) << bits;
}

TYPED_TEST(Storage, InstructionsAgreeWithSoftware) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 200001; ++i) values.push_back(std::bit_cast<float>(i * 21473u));
  std::vector<std::uint16_t> soft(values.size()), hard(values.size());
  std::vector<float> back(values.size()), again(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    TypeParam const x(values[i]);
    soft[i] = x.bits;
    back[i] = x;
  }
  for (std::string const& set : instruction_sets()) {
    Conversions const& conversions = Format<TypeParam>::conversions(*variant(set).f32);
    conversions.narrow(values.data(), hard.data(), Index(values.size()));
    EXPECT_EQ(soft, hard) << set;
    conversions.widen(soft.data(), again.data(), Index(values.size()));
    EXPECT_EQ(std::memcmp(back.data(), again.data(), sizeof(float) * back.size()), 0) << set;
    for (Index count = 0; count < 70; ++count) {  // what is beyond stays as it was
      std::vector<std::uint16_t> narrow(72, 7);
      std::vector<float> wide(72, 7);
      conversions.narrow(values.data() + 1000, narrow.data(), count);
      conversions.widen(soft.data() + 1000, wide.data(), count);
      for (Index i = 0; i < 72; ++i) {
        ASSERT_EQ(narrow[i], i < count ? soft[1000 + i] : 7) << set;
        ASSERT_EQ(wide[i], i < count ? back[1000 + i] : 7) << set;
      }
    }
  }
}

/// Random numbers that need no rounding, and what f32 makes of them.
template <class S>
struct Case {
  std::vector<float> x, exact;
  std::vector<S> narrow;

  explicit Case(Problem wide) {
    wide.precision = Precision::f32;
    x = random_scalars<float>(in_bytes(wide) / 4, 2);
    narrow.assign(x.begin(), x.end());
    x.assign(narrow.begin(), narrow.end());
    exact = done(wide, x);
  }
};

template <class S>
void expect_rounded(std::vector<S> const& got, std::vector<float> const& exact, float more,
                    Problem const& p) {
  float const unit = float(skipper::testing::rounding_unit(p.precision));
  ASSERT_EQ(got.size(), exact.size());
  each_output(p, [&](Index i) {
    ASSERT_NEAR(float(got[i]), exact[i], unit * std::abs(exact[i]) + more) << text(p) << " at " << i;
  });
}

/// Batches may be done in other vectors, which is the rest that is allowed.
template <class S>
void expect_f32_rounded(Problem const& p, int threads) {
  Case<S> const given(p);
  std::vector<S> const kept = given.narrow;
  expect_rounded(done(p, given.narrow, {threads, "", {}, {}}), given.exact, 2e-6f, p);
  EXPECT_EQ(std::memcmp(given.narrow.data(), kept.data(), kept.size() * sizeof(S)), 0)
      << "input changed: " << text(p);
}

TYPED_TEST(Storage, IsF32OnRoundedInputRoundedOnce) {
  for (Problem const& p : shapes(Format<TypeParam>::precision))
    for (int threads : {1, 3}) expect_f32_rounded<TypeParam>(p, threads);
}

/// One array may be in f32. With a small cache it goes by several pieces.
TYPED_TEST(Storage, OneArrayMayBeInF32) {
  Machine small = host_machine();
  small.l2_bytes = 20000;
  for (Problem const& p : shapes(Format<TypeParam>::precision)) {
    Case<TypeParam> const given(p);
    for (Machine const& machine : {host_machine(), small})
      for (int threads : {1, 3}) {
        std::vector<float> got = unset<float>(Index(given.exact.size()));
        execute_unset(Transform(p, machine, {threads, "", {}, {}, {}, NarrowSides::input}),
                      given.narrow.data(), got.data());
        each_output(p, [&](Index i) {
          ASSERT_NEAR(got[i], given.exact[i], 1e-6f * std::abs(given.exact[i]) + 1e-5f)
              << text(p) << " at " << i;
        });
        std::vector<TypeParam> rounded = unset<TypeParam>(Index(got.size())), both = rounded;
        execute_unset(Transform(p, machine, {threads, "", {}, {}, {}, NarrowSides::output}), given.x.data(),
                      rounded.data());
        execute_unset(Transform(p, machine, {threads, ""}), given.narrow.data(), both.data());
        expect_rounded(rounded, given.exact, 1e-5f, p);
        expect_rounded(both, given.exact, 1e-5f, p);
      }
  }
}

/// f32 itself is held to the definition for the same lengths (lengths_test.cpp, trig_step_test.cpp). The formats differ
/// in their conversions alone, so one of them takes all lengths.
TYPED_TEST(Storage, OfManyLengths) {
  constexpr Precision precision = Format<TypeParam>::precision;
  for (Index n = 1; n <= 2048; n += quick() ? 31 : precision == Precision::bf16 ? 13 : 1) {
    expect_f32_rounded<TypeParam>(c2c({n}, 1, precision), 1);
    expect_f32_rounded<TypeParam>(r2c({n}, 1, precision), 1);
    expect_f32_rounded<TypeParam>(c2r({n}, 1, precision), 1);
    if (n > 1)
      expect_f32_rounded<TypeParam>(
          r2r({n}, {real_axis_kinds[std::size_t(n) % real_axis_kinds.size()]}, 1, precision), 1);
    if (this->HasFailure()) FAIL() << n;
  }
}

TYPED_TEST(Storage, InPlace) {
  Problem const apart = r2c({4, 10}, 3, Format<TypeParam>::precision), p = in_place(apart);
  std::vector<TypeParam> x(120), both(3 * 4 * 12);
  for (int i = 0; i < 120; ++i) x[i] = both[i / 10 * 12 + i % 10] = TypeParam(float(i % 7) - 3);
  Transform(p, host_machine()).execute(both.data(), both.data());
  std::vector<TypeParam> const y = done(apart, x);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(both[i].bits, y[i].bits);
}

/// A transform of length 1 moves them through the engine.
TYPED_TEST(Storage, SpecialValuesPass) {
  using F = Format<TypeParam>;
  unsigned const largest = F::infinity - 1;
  std::vector<TypeParam> const x{INFINITY,
                                 -INFINITY,
                                 NAN,
                                 float(F::smallest),
                                 -float(F::smallest),
                                 with_bits<TypeParam>(largest),
                                 0.0f,
                                 1.0f,
                                 float(F::smallest_normal),
                                 -0.0f};
  Problem p = c2c({1}, 5, F::precision);
  std::vector<TypeParam> const y = done(p, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    bool const nan = std::isnan(float(x[i]));
    EXPECT_EQ(std::isnan(float(y[i])), nan) << i;
    EXPECT_TRUE(nan || y[i].bits == x[i].bits) << i;
  }
  p.scale = 2;
  EXPECT_EQ(done(p, x)[5].bits, F::infinity);
}

}  // namespace
}  // namespace skipper::cpu::testing
