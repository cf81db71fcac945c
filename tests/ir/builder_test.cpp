#include "ir/builder.h"

#include <gtest/gtest.h>

#include "ir/check.h"
#include "ir/recorded.h"

namespace {

using namespace skipper::ir;
using namespace skipper::testing;

/// The text behind the header, of a kernel that is valid.
std::string finished(Recording& r) {
  Kernel const kernel = r.builder.finish();
  auto const found = faults(kernel);
  EXPECT_TRUE(found.empty()) << found.front() << "\n" << text(kernel);
  std::string const all = text(kernel);
  return all.substr(all.find("parameter out i64\n") + 18);
}
int count(std::string const& in, std::string const& what) {
  int n = 0;
  for (auto at = in.find(what); at != in.npos; at = in.find(what, at + 1)) ++n;
  return n;
}

TEST(Builder, IsToldWhatIsNotNegative) {
  Recording r(header(64));
  Index const apart = 30 - r.thread, known = not_negative(apart);
  EXPECT_EQ(r.builder.forms().range(known.held()), (Range{0, 30}));
  EXPECT_NO_THROW(known / 4);
  EXPECT_THROW(apart / 4, std::invalid_argument);
  EXPECT_EQ(not_negative(r.thread).held(), r.thread.held());
}

TEST(Builder, SetsOneBitOfAWord) {
  Recording r(header(64));
  EXPECT_EQ(r.builder.one_bit(Index(5).held()), r.builder.value_of(Index(32).held(), Type::i32));
  r.builder.atomic(Op::atomic_or, r.array(1).held(), r.builder.one_bit(r.thread.held()));
  EXPECT_EQ(count(finished(r), "shift_left"), 1);
}

TEST(Builder, FoldsWhatGivesTheSameBits) {
  Recording r(header(32));
  Real const x = r.load(r.thread), zero(0.0), minus_zero(-0.0);
  EXPECT_EQ((x * Real(1.0)).held(), x.held());
  EXPECT_EQ((x * Real(-1.0)).held(), (-x).held());
  EXPECT_EQ((x + minus_zero).held(), x.held());
  EXPECT_EQ((x - zero).held(), x.held());
  EXPECT_NE((x + zero).held(), x.held()) << "-0 + 0 is 0";
  EXPECT_NE((x * zero).held(), zero.held()) << "-1 * 0 is -0";
  EXPECT_EQ((-(-x)).held(), x.held());
  EXPECT_EQ((x + -x).held(), (x - x).held());
  EXPECT_EQ((Real(3.0) * Real(0.1)).held(), Real(3.0f * 0.1f).held());
}

TEST(Builder, SharesASumAmongAddressesThatAreNear) {
  constexpr std::int64_t far = std::int64_t(3) << 24;
  Recording r(header(32));
  for (std::int64_t at : {0, 64, 128}) r.store(at / 4 + r.thread, r.load((far + at) / 4 + r.thread));
  std::string const all = finished(r);
  EXPECT_EQ(count(all, std::to_string(far)), 1) << all;
  EXPECT_EQ(count(all, " at 64\n"), 2) << all;
  EXPECT_EQ(count(all, " at 128\n"), 2) << all;
}

TEST(Builder, SharesEqualValues) {
  Recording r(header(32));
  Real const x = r.load(r.thread), y = r.load(r.thread + 32);
  EXPECT_EQ((x + y).held(), (y + x).held());
  EXPECT_EQ((x * -y).held(), (-(x * y)).held());
  EXPECT_NE((x - y).held(), (y - x).held());
}

TEST(Builder, AddressesShareTheirBase) {
  Recording r(header(32));
  for (int q = 0; q < 4; ++q) r.store(r.thread + 32 * q, r.load(r.thread + 32 * q));
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "multiply"), 2) << code;
  EXPECT_EQ(count(code, " at 384"), 2) << code;
}

TEST(Builder, LeavesOutTestsThatAreCertain) {
  Recording r(header(32));
  EXPECT_TRUE(r.builder.is_certain((r.thread < 32).held(), true));
  EXPECT_TRUE(r.builder.is_certain((r.thread * 2 + 1 == 6).held(), false));
  EXPECT_EQ((r.thread * 3 < 10).held(), (r.thread < 4).held());
  {
    Region const here(r.thread < 8);
    EXPECT_TRUE(r.builder.is_certain((r.thread < 8).held(), true));
    EXPECT_TRUE(r.builder.is_certain((r.thread >= 8).held(), false));
  }
  EXPECT_FALSE(r.builder.is_certain((r.thread < 8).held(), true));
}

TEST(Builder, MergesWhatWasAssignedInARegion) {
  Recording r(header(32));
  Real x = r.load(r.thread);
  Index at = r.thread;
  Bool flag = false;
  if (Region const here(r.thread < 8); here) {
    x = x * x;
    at = at + 100;
    flag = r.thread < 3;
  }
  if (Region const here(flag); here) r.store(at, x);
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "merge"), 1) << code;   // of x; integers and conditions are chosen
  EXPECT_EQ(count(code, "select"), 1) << code;  // of what is added to `at`
}

TEST(Builder, MergesThroughSeveralRegions) {
  Recording r(header(32));
  Real x = r.load(r.thread);
  Real const before = x;
  if (Region const outer(r.thread < 16); outer) {
    if (Region const inner(r.block * 0 + r.thread % 2 == 0); inner) x = x * x;
    EXPECT_NE(x.held(), before.held());
  }
  r.store(r.thread, x);
  EXPECT_EQ(count(finished(r), "merge"), 2);
}

TEST(Builder, AValueReturnedFromARegionMerges) {
  Recording r(header(32));
  auto const squared = [&]() -> Real {
    Region const here(r.thread < 8);
    Real const x = r.load(r.thread);
    return x * x;
  };
  Real const x = squared();
  r.store(r.thread, x);
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "merge"), 1) << code;
  EXPECT_EQ(count(code, "undefined"), 1) << code;
}

TEST(Builder, JoinsRegionsOfOneCondition) {
  Recording r(header(32));
  Real x[4];
  for (int q = 0; q < 4; ++q) {
    x[q] = Real(0.0);
    if (Region const here(r.thread < 5); here) x[q] = r.load(r.thread + 32 * q);
  }
  for (int q = 0; q < 4; ++q)
    if (Region const here(r.thread < 5); here) x[q] = x[q] * x[q];
  for (auto const& one : x) r.store(r.thread, one);
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "end_if"), 1) << code;
  EXPECT_EQ(count(code, "merge"), 4) << code;
}

TEST(Builder, ALoopCarriesWhatItAssigns) {
  Recording r(header(32));
  Real sum(0.0), other = r.load(r.thread);
  Index at = r.thread;
  r.builder.loop(Index(0).held(), Index(10).held(), 1, [&](int) {
    sum = sum + other * r.load(at);
    at = at + 32;
  });
  r.store(r.thread, sum);
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "carried"), 3) << code;  // the counter, the sum and the place
  EXPECT_EQ(count(code, "end_loop"), 1) << code;
}

TEST(Builder, ALoopOfOneRoundIsNone) {
  Recording r(header(32));
  r.builder.loop(Index(0).held(), Index(3).held(), 3,
                 [&](int i) { r.store(Index::of(i) + r.thread, Real(1.0)); });
  EXPECT_EQ(count(finished(r), "loop"), 0);
}

TEST(Builder, ADivisionByAValueStaysWhereItIsAskedFor) {
  Recording r(header(32), Type::f32, 64);
  Index const n = Index::of(r.builder.blocks());
  if (Region const here(n != 5); here) r.store(r.thread / n + r.thread % n, r.load(r.thread / 7));
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "divide"), 1) << code;  // the remainder is what the quotient leaves
  EXPECT_LT(code.find("if %"), code.find("divide")) << code;
  EXPECT_LT(code.find("multiply_high"), code.find("if %")) << code;
  EXPECT_THROW((void)((r.thread - 1) / n), std::invalid_argument);
}

TEST(Builder, WhatALoopAsksForStaysInIt) {
  Recording r(header(32));
  r.builder.loop(Index(0).held(), Index(10).held(), 1,
                 [&](int i) { r.store(Index::of(i) * 32 + r.thread % 7, Real(1.0)); });
  std::string const code = finished(r);
  EXPECT_LT(code.find("loop"), code.find("multiply_high")) << code;
  EXPECT_LT(code.find("= thread"), code.find("loop")) << code;
}

TEST(Builder, LeavesOutWhatNobodyNeeds) {
  Recording r(header(32));
  Real const x = r.load(r.thread), y = r.load(r.thread + 32);
  (void)(x * y);
  if (Region const here(r.thread < 7); here) (void)(x + y);
  r.store(r.thread, x);
  std::string const code = finished(r);
  EXPECT_EQ(count(code, "load"), 1) << code;
  EXPECT_EQ(count(code, "if"), 0) << code;
}

TEST(Builder, RefusesNumbersThatWereNeverSet) {
  Recording r(header(32));
  Real const x;
  EXPECT_THROW((void)(x + Real(1.0)), std::logic_error);
  EXPECT_THROW(r.store(r.thread, x), std::logic_error);
}

TEST(Builder, RefusesTwoTypes) {
  Recording r(header(32));
  Real const x = r.load(r.thread), wide = converted(x, Type::f64);
  EXPECT_THROW((void)(x + wide), std::logic_error);
  EXPECT_EQ((wide * Real(0.5)).held(), (wide * Real(0.5, Type::f64)).held()) << "constants fit in";
}

}  // namespace
