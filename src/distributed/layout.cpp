// See layout.h.
#include "distributed/layout.h"

#include <functional>
#include <numeric>

namespace skipper::distributed {
namespace {

constexpr Index max_slots =
    Index(1) << 16;  // 512 KB of base addresses: what a cache on chip or L2 has at hand

struct Meeting {
  Index rank = 0;
  Box box;     // all that the rank holds
  Box shared;  // what both do
};

std::vector<Meeting> meetings(Box const& box, Distribution const& with) {
  std::vector<Meeting> all;
  if (is_empty(box)) return all;
  with.meet(box, [&](Index rank, Box const& shared) { all.push_back({rank, with.box(rank), shared}); });
  return all;
}

Index product(Box const& box, std::vector<std::size_t> const& order, std::size_t first, std::size_t last) {
  Index all = 1;
  for (std::size_t i = first; i < last; ++i) all *= box.size[order[i]];
  return all;
}

/// Where a receiver's part begins, and in whose array: coordinates are of the element that stands for the part's first.
struct Target {
  Index rank = 0;
  std::vector<Index> strides;  // of that array
  Index first = 0;             // elements before the part's first one there
};

/// Slots of a sender: `targets` are those of `met`, one each. The parts of the dimensions that tell receivers apart are boxes
/// in the space of their indices.
std::optional<Route> route(Box const& own, std::vector<Meeting> const& met,
                           std::vector<Target> const& targets, ExchangeLayout const& layout) {
  auto const& order = layout.order;
  std::vector<std::size_t> const spread(order.begin(), order.begin() + std::ptrdiff_t(layout.spread));
  Route made{std::vector<Index>(order.size(), 0), 1, {}};
  for (std::size_t i = layout.spread; i < order.size(); ++i)
    made.strides[order[i]] = targets[0].strides[order[i]];
  Index const inner = product(met[0].box, order, layout.spread, order.size());
  Index stride = inner;
  for (std::size_t i = layout.spread; i-- > 0; stride *= own.size[order[i]]) made.strides[order[i]] = stride;
  Index const indices = product(own, order, 0, layout.spread);
  // Along the fastest of these dimensions a slot has as many indices as all parts are multiples of.
  Index run = 1;
  if (!spread.empty()) {
    std::size_t const fastest = spread.back();
    run = own.size[fastest];
    for (Meeting const& m : met)
      run = std::gcd(run, std::gcd(m.shared.first[fastest] - own.first[fastest], m.shared.size[fastest]));
  }
  if (indices / run > max_slots) return std::nullopt;
  made.unit = inner * run;
  made.slots.resize(std::size_t(indices / run));
  for (std::size_t m = 0; m < met.size(); ++m) {
    Box const& part = met[m].shared;
    Index const count = product(part, order, 0, layout.spread) / run;
    for (Index i = 0; i < count; ++i) {
      Index rest = i, mine = 0, there = targets[m].first;
      for (std::size_t s = spread.size(); s-- > 0;) {
        std::size_t const d = spread[s];
        bool const last = s + 1 == spread.size();
        Index const size = last ? part.size[d] / run : part.size[d];
        Index const index = rest % size * (last ? run : 1);
        rest /= size;
        mine += (index + part.first[d] - own.first[d]) * made.strides[d];
        there += index * targets[m].strides[d];
      }
      made.slots[std::size_t(mine / made.unit)] = {targets[m].rank, there - mine};
    }
  }
  return made;
}

Index first_of(Box const& part, Box const& whole, std::vector<Index> const& strides) {
  Index at = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) at += (part.first[d] - whole.first[d]) * strides[d];
  return at;
}

}  // namespace

ExchangeLayout exchange_layout(Distribution const& from, Distribution const& to) {
  std::vector<bool> differs(to.sizes().size(), false);
  for (Index rank = 0; rank < from.ranks(); ++rank) {
    std::vector<bool> const tell = to.telling_dimensions(from.box(rank));
    for (std::size_t d = 0; d < differs.size(); ++d) differs[d] = differs[d] || tell[d];
  }
  ExchangeLayout layout;
  for (bool const spread : {true, false}) {
    for (std::size_t d = 0; d < differs.size(); ++d)
      if (differs[d] == spread) layout.order.push_back(d);
    if (spread) layout.spread = layout.order.size();
  }
  return layout;
}

ExchangeLayout natural_layout(std::size_t dimensions) {
  ExchangeLayout layout{std::vector<std::size_t>(dimensions), 0};
  std::iota(layout.order.begin(), layout.order.end(), std::size_t(0));
  return layout;
}

std::vector<Index> strides_in(std::vector<std::size_t> const& order, std::vector<Index> const& sizes) {
  std::vector<Index> strides(sizes.size(), 1);
  Index stride = 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= sizes[order[i]]) strides[order[i]] = stride;
  return strides;
}

std::optional<Route> route_to_peers(Distribution const& from, Distribution const& to,
                                    ExchangeLayout const& layout, Index rank) {
  Box const own = from.box(rank);
  std::vector<Meeting> const met = meetings(own, to);
  if (met.empty()) return Route{strides_in(layout.order, own.size), 1, {}};
  std::vector<Target> targets;
  for (Meeting const& m : met) {
    std::vector<Index> strides = strides_in(layout.order, m.box.size);
    targets.push_back({m.rank, strides, first_of(m.shared, m.box, strides)});
  }
  return route(own, met, targets, layout);
}

std::optional<Route> route_to_swap(Distribution const& from, Distribution const& to,
                                   ExchangeLayout const& layout, Index rank) {
  Box const own = from.box(rank), after = to.box(rank);
  std::vector<Meeting> const met = meetings(own, to);
  if (met.empty() || volume(own) != volume(after)) return std::nullopt;
  std::vector<Index> const strides = strides_in(layout.order, after.size);
  std::vector<Target> targets;
  for (Meeting const& m : met) {
    Box const place = intersection(from.box(m.rank), after);
    if (place.size != m.shared.size || m.box.size != after.size) return std::nullopt;
    targets.push_back({rank, strides, first_of(place, after, strides)});
  }
  return route(own, met, targets, layout);
}

}  // namespace skipper::distributed
