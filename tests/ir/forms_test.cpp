#include "ir/forms.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace skipper::ir;

/// The value of a form where its values are these.
std::int64_t evaluate(Forms const& forms, int form, std::vector<std::int64_t> const& values) {
  std::int64_t sum = forms[form].constant;
  for (auto const& [number, weight] : forms[form].terms) {
    Variable const v = forms.variable(number);
    std::int64_t x = 0;
    switch (v.kind) {
      case Variable::Kind::value:
        x = values[std::size_t(v.value)];
        break;
      case Variable::Kind::product:
        x = evaluate(forms, v.of, values) * evaluate(forms, v.by, values);
        break;
      case Variable::Kind::digit:
        x = evaluate(forms, v.of, values) / v.span;
        if (v.extent > 0) x %= v.extent;
    }
    sum += weight * x;
  }
  return sum;
}

TEST(Forms, EqualFormsHaveOneNumber) {
  Forms forms;
  int const t = forms.value(0, {0, 127}), b = forms.value(1, {0, 1000});
  EXPECT_EQ(forms.plus(forms.times(t, 4), b), forms.plus(b, forms.plus(t, forms.times(t, 3))));
  EXPECT_EQ(forms.plus(t, forms.times(t, -1)), forms.constant(0));
}

TEST(Forms, DigitsSideBySideAreOne) {
  Forms forms;
  int const t = forms.value(0, {0, 127});
  int const low = forms.remainder(t, 8), high = forms.quotient(t, 8);
  EXPECT_EQ(forms.plus(low, forms.times(high, 8)), t);
  int const middle = forms.remainder(forms.quotient(t, 4), 4);
  EXPECT_EQ(forms.plus(forms.remainder(t, 4), forms.times(middle, 4)), forms.remainder(t, 16));
}

TEST(Forms, RangesLeaveOutWhatIsCertain) {
  Forms forms;
  int const t = forms.value(0, {0, 99});
  EXPECT_EQ(forms.quotient(t, 100), forms.constant(0));
  EXPECT_EQ(forms.remainder(t, 100), t);
  EXPECT_EQ(forms.remainder(forms.plus(forms.times(t, 6), forms.constant(5)), 3), forms.constant(2));
  EXPECT_EQ(forms.range(forms.plus(forms.times(t, -2), forms.constant(7))), (Range{-191, 7}));
  forms.narrow(0, {0, 15});
  EXPECT_EQ(forms.quotient(t, 16), forms.constant(0));
  forms.widen();
  EXPECT_NE(forms.quotient(t, 16), forms.constant(0));
}

TEST(Forms, DividesWhatAConstantKeepsFromBeingNegative) {
  Forms forms;
  int const a = forms.value(0, {0, 1000});
  int const whole = forms.quotient(forms.plus(forms.constant(1024), forms.times(a, -1)), 128);
  EXPECT_EQ(forms.range(whole), (Range{0, 8}));
  int const b = forms.value(1, {-8, 8});
  EXPECT_EQ(forms.range(forms.remainder(forms.plus(forms.constant(64), b), 64)), (Range{0, 63}));
  EXPECT_EQ(forms.range(forms.quotient(forms.plus(forms.constant(100), forms.times(a, -1)), 1)),
            (Range{-900, 100}));
}

TEST(Forms, RefusesQuotientsOfWhatMayBeNegative) {
  Forms forms;
  int const signed_one = forms.value(0, {-4, 4});
  EXPECT_THROW(forms.quotient(signed_one, 2), std::invalid_argument);
  EXPECT_THROW(forms.remainder(signed_one, 3), std::invalid_argument);
  EXPECT_THROW(forms.quotient(signed_one, 0), std::invalid_argument);
  int const apart = forms.plus(forms.value(1, {0, 9}), forms.constant(-8));
  EXPECT_EQ(forms.range(forms.quotient(apart, 4)), (Range{-2, 0})) << "rounded down";
}

TEST(Forms, RandomOnesAreWhatTheySay) {
  std::mt19937 random(1);
  auto const draw = [&](int n) { return int(random() % unsigned(n)); };
  for (int round = 0; round < 300; ++round) {
    Forms forms;
    std::vector<std::int64_t> const values{draw(128), draw(6), draw(100000)};
    std::vector<std::pair<int, std::int64_t>> made{{forms.value(0, {0, 127}), values[0]},
                                                   {forms.value(1, {0, 5}), values[1]},
                                                   {forms.value(2, {0, 99999}), values[2]}};
    for (int step = 0; step < 20; ++step) {
      auto const [a, x] = made[std::size_t(draw(int(made.size())))];
      auto const [b, y] = made[std::size_t(draw(int(made.size())))];
      std::int64_t const n = 1 + draw(24);
      switch (draw(5)) {
        case 0:
          made.emplace_back(forms.plus(a, b), x + y);
          break;
        case 1:
          made.emplace_back(forms.times(a, n), x * n);
          break;
        case 2:
          made.emplace_back(forms.quotient(a, n), x / n);
          break;
        case 3:
          made.emplace_back(forms.remainder(a, n), x % n);
          break;
        default:
          if (forms.range(a).most < 1000000 && forms.range(b).most < 1000000)
            made.emplace_back(forms.product(a, b), x * y);
      }
      auto const [form, value] = made.back();
      ASSERT_EQ(evaluate(forms, form, values), value);
      ASSERT_LE(forms.range(form).least, value);
      ASSERT_GE(forms.range(form).most, value);
      if (value > (std::int64_t(1) << 40)) break;
    }
  }
}

}  // namespace
