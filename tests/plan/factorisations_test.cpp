// Factorisations against brute force: every way to hand the radices of the axes to the sweeps is there, once, and no other.
#include "plan/factorisations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/numbers.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// All ways to write n as a product of `sweeps` factors.
std::vector<AxisRadices> products(Index n, int sweeps) {
  if (sweeps == 1) return {{n}};
  std::vector<AxisRadices> all;
  for (Index first = 1; first <= n; ++first)
    if (n % first == 0)
      for (AxisRadices rest : products(n / first, sweeps - 1)) {
        rest.insert(rest.begin(), first);
        all.push_back(rest);
      }
  return all;
}

Index load(Factorisation const& factorisation, int s) {
  return std::accumulate(factorisation.begin(), factorisation.end(), Index(1),
                         [&](Index n, AxisRadices const& share) { return n * share[std::size_t(s)]; });
}

int cuts_of(Factorisation const& factorisation) {
  int cuts = 0;
  for (AxisRadices const& share : factorisation)
    cuts += int(std::count_if(share.begin(), share.end(), [](Index r) { return r > 1; })) - 1;
  return cuts;
}

/// All factorisations, valid or not, then those that factorisations() promises.
std::set<Factorisation> by_brute_force(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity) {
  std::vector<Factorisation> all{{}};
  for (Index n : axes) {
    std::vector<Factorisation> longer;
    for (Factorisation const& factorisation : all)
      for (AxisRadices const& share : products(n, sweeps)) {
        longer.push_back(factorisation);
        longer.back().push_back(share);
      }
    all = std::move(longer);
  }
  std::set<Factorisation> kept;
  for (Factorisation const& factorisation : all) {
    bool good = cuts_of(factorisation) == cuts;
    for (int s = 0; s < sweeps; ++s)
      good = good && load(factorisation, s) > 1 && load(factorisation, s) <= capacity;
    if (good) kept.insert(factorisation);
  }
  return kept;
}

void expect_complete(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity) {
  auto const found = factorisations(axes, sweeps, cuts, capacity);
  std::set<Factorisation> const set(found.begin(), found.end());
  EXPECT_EQ(set.size(), found.size()) << "some are there twice";
  EXPECT_EQ(set, by_brute_force(axes, sweeps, cuts, capacity));
}

TEST(Factorisations, AreCompleteAndWithoutDuplicates) {
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

TEST(Factorisations, OfNothingAreNone) {
  EXPECT_TRUE(factorisations({}, 1, 0, 100).empty()) << "a sweep needs something to do";
  EXPECT_TRUE(factorisations({7}, 2, 0, 100).empty()) << "one radix cannot keep two sweeps busy";
  EXPECT_TRUE(factorisations({101}, 1, 0, 100).empty()) << "a prime above the capacity";
}

TEST(Factorisations, OfOneAxisInOneSweepIsTheAxis) {
  EXPECT_EQ(factorisations({360}, 1, 0, 360), (std::vector<Factorisation>{{{360}}}));
}

TEST(Factorisations, KeepTheSubTransformsOfAnAxisInTheOrderOfTheSweeps) {
  auto const found = factorisations({6}, 2, 1, 100);
  EXPECT_EQ(std::set<Factorisation>(found.begin(), found.end()),
            (std::set<Factorisation>{{{2, 3}}, {{3, 2}}}));
}

/// A convolved axis goes there and back: the share reads the same from both ends, and half of it is the length.
TEST(Factorisations, OfAConvolvedAxisAreThereAndBack) {
  auto const found = factorisations({101, 3}, {{12}, {}}, 3, 2, 100);
  EXPECT_EQ(found.size(), 3u * 4u) << "four ways to cut 12 in two, three sweeps for the other axis";
  for (Factorisation const& factorisation : found) {
    EXPECT_EQ(factorisation[0][0], factorisation[0][2]);
    EXPECT_EQ(factorisation[0][0] * factorisation[0][1], 12);
    auto const parts = active_sweeps(factorisation[0], 101);
    EXPECT_EQ(parts.sweeps, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(parts.forward, 2u);
    EXPECT_EQ(active_sweeps(factorisation[1], 3).forward, 1u);
  }
  EXPECT_TRUE(factorisations({101}, {{12}}, 2, 1, 100).empty()) << "there and back takes three sweeps";
  EXPECT_EQ(factorisations({101}, {{30}}, 5, 4, 10).size(), 6u) << "2, 3 and 5 in any order";
}

TEST(Factorisations, ComeInTheSameOrderEveryTime) {
  EXPECT_EQ(factorisations({48, 36, 10}, 3, 2, 400), factorisations({48, 36, 10}, 3, 2, 400));
}

/// Three sweeps of highly composite sizes: many, but counted by hand. n = prod p^e has prod C(e+2, 2) ordered
/// factorisations into three, of which those with a factor 1 fall away.
TEST(Factorisations, OfHighlyCompositeSizesAreAsManyAsTheFormulaSays) {
  for (Index n : {720, 5040, 110880}) {
    Index three = 1, two = 1;
    for (Factor const& f : factorise(n)) {
      three *= (f.power + 1) * (f.power + 2) / 2;
      two *= f.power + 1;
    }
    Index const proper = three - 3 * (two - 2) - 3;  // less exactly one factor of 1 (three places), less two
    EXPECT_EQ(Index(factorisations({n}, 3, 2, n).size()), proper) << n;
  }
}

/// What nobody could list: a sample, of factorisations that are as good as any.
TEST(Factorisations, OfTooManyAreAnEvenSample) {
  std::vector<FactorisationSpace> const spaces = {
      {.axes = std::vector<Index>(6, 12), .sweeps = 6, .cuts = 5, .capacity = 8192, .roomy = 512},
      {.axes = std::vector<Index>(64, 2), .sweeps = 6, .cuts = 0, .capacity = 1 << 14, .roomy = 1 << 11},
      {.axes = {Index(1) << 60}, .sweeps = 6, .cuts = 5, .capacity = 1 << 14, .roomy = 1 << 11},
      {.axes = {100003, 100019},
       .lengths = {{200704, 201600}, {200704, 201600}},
       .sweeps = 6,
       .cuts = 4,
       .capacity = 1 << 14,
       .roomy = 1 << 10}};
  for (std::size_t number = 0; FactorisationSpace space : spaces) {
    if (!testing::takes(number++, 2)) continue;
    space.lengths.resize(space.axes.size());
    auto const found = factorisations(space);
    EXPECT_FALSE(found.empty());
    EXPECT_LE(found.size(), max_factorisations);
    EXPECT_EQ(found, factorisations(space)) << "the same ones every time";
    EXPECT_EQ(std::set<Factorisation>(found.begin(), found.end()).size(), found.size());
    for (Factorisation const& factorisation : found) {
      ASSERT_EQ(cuts_of(factorisation), space.cuts);
      for (int s = 0; s < space.sweeps; ++s) {
        ASSERT_GT(load(factorisation, s), 1);
        ASSERT_LE(load(factorisation, s), space.capacity);
      }
    }
  }
}

TEST(Factorisations, OfASampleLeaveRoomWhereAnyDo) {
  FactorisationSpace space{
      .axes = std::vector<Index>(12, 4), .sweeps = 6, .cuts = 2, .capacity = 4096, .roomy = 64};
  space.lengths.resize(space.axes.size());
  auto const found = factorisations(space);
  auto const roomy = std::count_if(found.begin(), found.end(), [&](Factorisation const& factorisation) {
    for (int s = 0; s < space.sweeps; ++s)
      if (load(factorisation, s) > space.roomy) return false;
    return true;
  });
  EXPECT_GT(roomy, std::ptrdiff_t(found.size() / 2));
}

TEST(Factorisations, KeepAxesWholeAndCosinesApart) {
  FactorisationSpace space{
      .axes = {12, 12, 12}, .lengths = {{}, {}, {}}, .sweeps = 3, .cuts = 1, .capacity = 4096};
  space.whole = {true, true, true};
  EXPECT_TRUE(factorisations(space).empty()) << "one cut, and no axis to make it in";
  space.cuts = 0;
  space.cosines = {true, true, true};
  EXPECT_EQ(factorisations(space).size(), 6u) << "one axis a sweep, in any order";
  space.sweeps = 1;
  EXPECT_TRUE(factorisations(space).empty()) << "three in one sweep";
  space.sweeps = 2;
  EXPECT_EQ(factorisations(space).size(), 6u) << "two in one sweep, one in the other";
}

TEST(Factorisations, HaveTheRadicesThatAreWanted) {
  FactorisationSpace const space{.axes = {12, 5},
                                 .lengths = {{}, {}},
                                 .sweeps = 3,
                                 .cuts = 1,
                                 .capacity = 100,
                                 .radices = {{3, 4}, {5}}};
  auto all = factorisations(space.axes, space.sweeps, space.cuts, space.capacity);
  std::erase_if(all, [](Factorisation const& factorisation) {
    std::vector<Index> radices;
    for (Index r : factorisation[0])
      if (r > 1) radices.push_back(r);
    return radices != std::vector<Index>{3, 4};
  });
  EXPECT_EQ(factorisations(space), all);
  EXPECT_FALSE(all.empty());
}

}  // namespace
}  // namespace skipper::testing
