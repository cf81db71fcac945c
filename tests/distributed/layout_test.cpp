// Where data go in an exchange, as properties: every element of every sender arrives once, where the receiver looks for it.
#include "distributed/layout.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace skipper::distributed {
namespace {

/// use(coordinates) for each element of a box.
void each(Box const& box, std::function<void(std::vector<Index> const&)> const& use) {
  if (is_empty(box)) return;
  std::vector<Index> at = box.first;
  for (;;) {
    use(at);
    std::size_t d = at.size();
    while (d-- > 0 && ++at[d] == box.first[d] + box.size[d]) at[d] = box.first[d];
    if (d == std::size_t(-1)) return;
  }
}

Index place(std::vector<Index> const& at, Box const& box, std::vector<Index> const& strides) {
  Index sum = 0;
  for (std::size_t d = 0; d < at.size(); ++d) sum += (at[d] - box.first[d]) * strides[d];
  return sum;
}

std::string name_of(std::vector<Index> const& at) {
  std::string text;
  for (Index const i : at) text += std::to_string(i) + " ";
  return text;
}

using Arrays = std::map<Index, std::map<Index, std::string>>;  // by rank and place

/// What arrays have when all senders have stored by their routes; empty where one has none.
Arrays stored(Distribution const& from, Distribution const& to, bool to_swap) {
  ExchangeLayout const layout = exchange_layout(from, to);
  Arrays arrays;
  for (Index rank = 0; rank < from.ranks(); ++rank) {
    Box const own = from.box(rank);
    if (is_empty(own)) continue;
    auto const route =
        to_swap ? route_to_swap(from, to, layout, rank) : route_to_peers(from, to, layout, rank);
    if (!route) return {};
    each(own, [&](std::vector<Index> const& at) {
      Index const i = place(at, own, route->strides);
      Slot const slot = route->slots.at(std::size_t(i / route->unit));
      bool const is_new = arrays[slot.rank].emplace(i + slot.offset, name_of(at)).second;
      EXPECT_TRUE(is_new) << "two elements at one place";
    });
  }
  return arrays;
}

void expect_arrived(Arrays const& arrays, Distribution const& from, Distribution const& to) {
  ExchangeLayout const layout = exchange_layout(from, to);
  for (Index rank = 0; rank < to.ranks(); ++rank) {
    Box const box = to.box(rank);
    std::vector<Index> const strides = strides_in(layout.order, box.size);
    Index count = 0;
    each(box, [&](std::vector<Index> const& at) {
      ++count;
      ASSERT_EQ(arrays.at(rank).at(place(at, box, strides)), name_of(at)) << "rank " << rank;
    });
    if (count > 0) {
      EXPECT_EQ(Index(arrays.at(rank).size()), count);
    }
  }
}

/// Parts change places, as the swap kernel does it.
void swap_parts(Arrays& arrays, Distribution const& from, Distribution const& to) {
  ExchangeLayout const layout = exchange_layout(from, to);
  for (Index a = 0; a < from.ranks(); ++a)
    for (Index b = a + 1; b < from.ranks(); ++b) {
      Box const here = intersection(from.box(b), to.box(a)), there = intersection(from.box(a), to.box(b));
      if (is_empty(here)) continue;
      auto const mine = strides_in(layout.order, to.box(a).size),
                 theirs = strides_in(layout.order, to.box(b).size);
      each({std::vector<Index>(here.size.size(), 0), here.size}, [&](std::vector<Index> const& i) {
        std::vector<Index> x = i, y = i;
        for (std::size_t d = 0; d < i.size(); ++d) x[d] += here.first[d], y[d] += there.first[d];
        std::swap(arrays[a].at(place(x, to.box(a), mine)), arrays[b].at(place(y, to.box(b), theirs)));
      });
    }
}

TEST(Layout, SlabsToSlabsByBaseAddresses) {
  std::vector<Index> const sizes{8, 12, 3};
  Distribution const from(sizes, 4, {4, 1, 1}), to(sizes, 4, {1, 4, 1});
  ExchangeLayout const layout = exchange_layout(from, to);
  EXPECT_EQ(layout.order, (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_EQ(layout.spread, 1u);
  auto const route = route_to_peers(from, to, layout, 1);
  ASSERT_TRUE(route);
  EXPECT_EQ(route->slots.size(), 4u);  // even parts: one base address a peer
  EXPECT_EQ(route->strides, (std::vector<Index>{3, 24, 1}));
  expect_arrived(stored(from, to, false), from, to);
}

TEST(Layout, RoutesOfRandomGrids) {
  std::mt19937 random(5);
  auto const below = [&](Index n) { return Index(random() % std::uint64_t(n)); };
  int seen = 0;
  for (int i = 0; i < 150; ++i) {
    Index const ranks = 1 + below(12);
    std::vector<Index> const sizes{1 + below(9), 1 + below(9), 1 + below(9)};
    auto const grid = [&] {
      Grid g(3, 1);
      std::size_t const a = std::size_t(below(3)), b = std::size_t(below(3));
      g[a] = std::min(sizes[a], 1 + below(ranks));
      if (a != b) g[b] = std::min(sizes[b], ranks / g[a]);
      return g;
    };
    Distribution const from(sizes, ranks, grid()), to(sizes, ranks, grid());
    SCOPED_TRACE(from.text() + " to " + to.text());
    Arrays const arrays = stored(from, to, false);
    ASSERT_FALSE(arrays.empty());  // tables of these sizes are short
    expect_arrived(arrays, from, to);
    ++seen;
  }
  EXPECT_EQ(seen, 150);
}

TEST(Layout, SwapsOfEvenSlabsAndPencils) {
  struct Case {
    std::vector<Index> sizes;
    Index ranks;
    Grid from, to;
  };
  for (Case const& c : {Case{{8, 8, 3}, 4, {4, 1, 1}, {1, 4, 1}}, Case{{4, 6, 2}, 2, {2, 1, 1}, {1, 2, 1}},
                        Case{{4, 4, 8}, 8, {4, 2, 1}, {4, 1, 2}}}) {
    Distribution const from(c.sizes, c.ranks, c.from), to(c.sizes, c.ranks, c.to);
    SCOPED_TRACE(from.text() + " to " + to.text());
    Arrays arrays = stored(from, to, true);
    ASSERT_FALSE(arrays.empty());
    swap_parts(arrays, from, to);
    expect_arrived(arrays, from, to);
  }
}

TEST(Layout, UnevenPartsAreNotSwapped) {
  std::vector<Index> const sizes{7, 8, 3};
  Distribution const from(sizes, 4, {4, 1, 1}), to(sizes, 4, {1, 4, 1});
  EXPECT_FALSE(route_to_swap(from, to, exchange_layout(from, to), 0));
  // A rank here does not get from those that it sends to.
  Distribution const pencils({8, 4, 4}, 8, {4, 2, 1}), others({8, 4, 4}, 8, {1, 2, 4});
  EXPECT_FALSE(route_to_swap(pencils, others, exchange_layout(pencils, others), 1));
}

TEST(Layout, LongTablesAreRefused) {
  std::vector<Index> const sizes{1021, 1021, 64};  // bricks to columns: two dimensions tell receivers apart
  Distribution const from(sizes, 4, {1, 1, 4}), to(sizes, 4, {2, 2, 1});
  ExchangeLayout const layout = exchange_layout(from, to);
  EXPECT_EQ(layout.spread, 2u);
  EXPECT_FALSE(route_to_peers(from, to, layout, 0));
}

}  // namespace
}  // namespace skipper::distributed
