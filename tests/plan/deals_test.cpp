// Deals against brute force: every way to hand the radices of the axes to the sweeps is there, once, and no other.
#include "plan/deals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/numbers.h"

namespace skipper::testing {
namespace {

/// All ways to write n as a product of `sweeps` factors.
std::vector<Share> products(Index n, int sweeps) {
  if (sweeps == 1) return {{n}};
  std::vector<Share> all;
  for (Index first = 1; first <= n; ++first)
    if (n % first == 0)
      for (Share rest : products(n / first, sweeps - 1)) {
        rest.insert(rest.begin(), first);
        all.push_back(rest);
      }
  return all;
}

Index load(Deal const& deal, int s) {
  return std::accumulate(deal.begin(), deal.end(), Index(1),
                         [&](Index n, Share const& share) { return n * share[std::size_t(s)]; });
}

int cuts_of(Deal const& deal) {
  int cuts = 0;
  for (Share const& share : deal)
    cuts += int(std::count_if(share.begin(), share.end(), [](Index r) { return r > 1; })) - 1;
  return cuts;
}

/// All deals, valid or not, then those that deals() promises.
std::set<Deal> by_brute_force(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity) {
  std::vector<Deal> all{{}};
  for (Index n : axes) {
    std::vector<Deal> longer;
    for (Deal const& deal : all)
      for (Share const& share : products(n, sweeps)) {
        longer.push_back(deal);
        longer.back().push_back(share);
      }
    all = std::move(longer);
  }
  std::set<Deal> kept;
  for (Deal const& deal : all) {
    bool good = cuts_of(deal) == cuts;
    for (int s = 0; s < sweeps; ++s) good = good && load(deal, s) > 1 && load(deal, s) <= capacity;
    if (good) kept.insert(deal);
  }
  return kept;
}

void expect_complete(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity) {
  auto const found = deals(axes, sweeps, cuts, capacity);
  std::set<Deal> const set(found.begin(), found.end());
  EXPECT_EQ(set.size(), found.size()) << "some are there twice";
  EXPECT_EQ(set, by_brute_force(axes, sweeps, cuts, capacity));
}

TEST(Deals, AreCompleteAndWithoutDuplicates) {
  std::vector<std::vector<Index>> const shapes = {
      {2}, {13}, {64}, {60}, {1001}, {8, 8}, {12, 5}, {16, 3, 2}, {4, 4, 4}, {6, 10, 15}, {2, 2, 2, 2}};
  for (auto const& axes : shapes)
    for (int sweeps = 1; sweeps <= 4; ++sweeps)
      for (int cuts = 0; cuts < sweeps + 1; ++cuts)
        for (Index capacity : {2, 4, 8, 15, 64, 100000}) {
          SCOPED_TRACE(std::to_string(sweeps) + " sweeps, " + std::to_string(cuts) + " cuts, capacity " +
                       std::to_string(capacity));
          expect_complete(axes, sweeps, cuts, capacity);
        }
}

TEST(Deals, OfNothingAreNone) {
  EXPECT_TRUE(deals({}, 1, 0, 100).empty()) << "a sweep needs something to do";
  EXPECT_TRUE(deals({7}, 2, 0, 100).empty()) << "one radix cannot keep two sweeps busy";
  EXPECT_TRUE(deals({101}, 1, 0, 100).empty()) << "a prime above the capacity";
}

TEST(Deals, OfOneAxisInOneSweepIsTheAxis) {
  EXPECT_EQ(deals({360}, 1, 0, 360), (std::vector<Deal>{{{360}}}));
}

TEST(Deals, KeepTheSubTransformsOfAnAxisInTheOrderOfTheSweeps) {
  auto const found = deals({6}, 2, 1, 100);
  EXPECT_EQ(std::set<Deal>(found.begin(), found.end()), (std::set<Deal>{{{2, 3}}, {{3, 2}}}));
}

/// A convolved axis goes there and back: the share reads the same from both ends, and half of it is the length.
TEST(Deals, OfAConvolvedAxisAreThereAndBack) {
  auto const found = deals({101, 3}, {{12}, {}}, 3, 2, 100);
  EXPECT_EQ(found.size(), 3u * 4u) << "four ways to cut 12 in two, three sweeps for the other axis";
  for (Deal const& deal : found) {
    EXPECT_EQ(deal[0][0], deal[0][2]);
    EXPECT_EQ(deal[0][0] * deal[0][1], 12);
    auto const parts = parts_of(deal[0], 101);
    EXPECT_EQ(parts.sweeps, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(parts.there, 2u);
    EXPECT_EQ(parts_of(deal[1], 3).there, 1u);
  }
  EXPECT_TRUE(deals({101}, {{12}}, 2, 1, 100).empty()) << "there and back takes three sweeps";
  EXPECT_EQ(deals({101}, {{30}}, 5, 4, 10).size(), 6u) << "2, 3 and 5 in any order";
}

TEST(Deals, ComeInTheSameOrderEveryTime) {
  EXPECT_EQ(deals({48, 36, 10}, 3, 2, 400), deals({48, 36, 10}, 3, 2, 400));
}

/// Three sweeps of highly composite sizes: many, but counted by hand. n = prod p^e has prod C(e+2, 2) ordered
/// factorisations into three, of which those with a factor 1 fall away.
TEST(Deals, OfHighlyCompositeSizesAreAsManyAsTheFormulaSays) {
  for (Index n : {720, 5040, 110880}) {
    Index three = 1, two = 1;
    for (Factor const& f : factorise(n)) {
      three *= (f.power + 1) * (f.power + 2) / 2;
      two *= f.power + 1;
    }
    Index const proper = three - 3 * (two - 2) - 3;  // less exactly one factor of 1 (three places), less two
    EXPECT_EQ(Index(deals({n}, 3, 2, n).size()), proper) << n;
  }
}

/// What nobody could list: a sample, of deals that are as good as any.
TEST(Deals, OfTooManyAreAnEvenSample) {
  std::vector<DealSpace> const spaces = {
      {.axes = std::vector<Index>(6, 12), .sweeps = 6, .cuts = 5, .capacity = 8192, .roomy = 512},
      {.axes = std::vector<Index>(64, 2), .sweeps = 6, .cuts = 0, .capacity = 1 << 14, .roomy = 1 << 11},
      {.axes = {Index(1) << 60}, .sweeps = 6, .cuts = 5, .capacity = 1 << 14, .roomy = 1 << 11},
      {.axes = {100003, 100019},
       .lengths = {{200704, 201600}, {200704, 201600}},
       .sweeps = 6,
       .cuts = 4,
       .capacity = 1 << 14,
       .roomy = 1 << 10}};
  for (DealSpace space : spaces) {
    space.lengths.resize(space.axes.size());
    auto const found = deals(space);
    EXPECT_FALSE(found.empty());
    EXPECT_LE(found.size(), most_deals);
    EXPECT_EQ(found, deals(space)) << "the same ones every time";
    EXPECT_EQ(std::set<Deal>(found.begin(), found.end()).size(), found.size());
    for (Deal const& deal : found) {
      ASSERT_EQ(cuts_of(deal), space.cuts);
      for (int s = 0; s < space.sweeps; ++s) {
        ASSERT_GT(load(deal, s), 1);
        ASSERT_LE(load(deal, s), space.capacity);
      }
    }
  }
}

TEST(Deals, OfASampleLeaveRoomWhereAnyDo) {
  DealSpace space{.axes = std::vector<Index>(12, 4), .sweeps = 6, .cuts = 2, .capacity = 4096, .roomy = 64};
  space.lengths.resize(space.axes.size());
  auto const found = deals(space);
  auto const roomy = std::count_if(found.begin(), found.end(), [&](Deal const& deal) {
    for (int s = 0; s < space.sweeps; ++s)
      if (load(deal, s) > space.roomy) return false;
    return true;
  });
  EXPECT_GT(roomy, std::ptrdiff_t(found.size() / 2));
}

TEST(Deals, KeepAxesWholeAndCosinesApart) {
  DealSpace space{.axes = {12, 12, 12}, .lengths = {{}, {}, {}}, .sweeps = 3, .cuts = 1, .capacity = 4096};
  space.whole = {true, true, true};
  EXPECT_TRUE(deals(space).empty()) << "one cut, and no axis to make it in";
  space.cuts = 0;
  space.cosines = {true, true, true};
  EXPECT_EQ(deals(space).size(), 6u) << "one axis a sweep, in any order";
  space.sweeps = 1;
  EXPECT_TRUE(deals(space).empty()) << "three in one sweep";
  space.sweeps = 2;
  EXPECT_EQ(deals(space).size(), 6u) << "two in one sweep, one in the other";
}

TEST(Deals, HaveTheRadicesThatAreWanted) {
  DealSpace const space{.axes = {12, 5},
                        .lengths = {{}, {}},
                        .sweeps = 3,
                        .cuts = 1,
                        .capacity = 100,
                        .radices = {{3, 4}, {5}}};
  auto all = deals(space.axes, space.sweeps, space.cuts, space.capacity);
  std::erase_if(all, [](Deal const& deal) {
    std::vector<Index> radices;
    for (Index r : deal[0])
      if (r > 1) radices.push_back(r);
    return radices != std::vector<Index>{3, 4};
  });
  EXPECT_EQ(deals(space), all);
  EXPECT_FALSE(all.empty());
}

}  // namespace
}  // namespace skipper::testing
