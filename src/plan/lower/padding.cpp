// See padding.h.
#include "plan/lower/padding.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "plan/counts.h"
#include "plan/memory_units.h"

namespace skipper {
namespace {

/// Bank conflicts that count for one sector which a remote store fills only in part: that costs the network between
/// SMs more. Fitted: bench/results/h200-choices.md.
constexpr Index partly_filled = 4;

/// A few warps that touch a layout in one assignment: the first two, one in the middle and the last. For powers of two all warps
/// are alike; the exact count over all of them is asserted by tests. What does not depend on the layout is worked out
/// once, since hundreds of layouts are tried.
class Witnesses {
 public:
  /// `rank` has the weights of the fine digits in the rank that they are put into, if remote.
  Witnesses(FineDigits const& fine_digits, FineAssignment const& assignment,
            std::vector<Index> const& cluster_rank, Index element_bytes, bool remote)
      : assignment_(assignment),
        element_bytes_(element_bytes),
        remote_(remote),
        registers_(count(fine_digits, assignment.registers)) {
    int const threads = int(count(fine_digits, assignment.threads)), warps = (threads + warp - 1) / warp;
    int looked = -1;
    for (int w : {0, 1, warps / 2, warps - 1}) {
      if (w <= looked || w >= warps) continue;
      looked = w;
      warps_.push_back(seen(fine_digits, cluster_rank, w * warp, std::min(threads, (w + 1) * warp)));
    }
  }

  /// Conflicts of a layout, and sectors of remote stores beyond the fewest; the count ends where it passes the limit.
  Index conflicts(std::vector<Index> const& weight, Index limit) const {
    Index total = 0;
    for (Warp const& seen : warps_) {
      Lane lanes[warp];
      auto digit = seen.digits.begin();
      for (int i = 0; i < seen.lanes; ++i) {
        lanes[i] = {seen.cluster_ranks[i], 0};
        for (int a : assignment_.threads) lanes[i].offset += *digit++ * weight[a];
      }
      Index a_register = wavefronts(lanes, seen.lanes, element_bytes_) - seen.ideal;
      if (remote_)
        a_register += partly_filled * (sectors_of(lanes, seen.lanes, element_bytes_) -
                                       seen.lanes * element_bytes_ / sector_bytes);
      total += a_register * registers_;
      if (total > limit) break;
    }
    return total;
  }

 private:
  struct Warp {
    int lanes = 0;
    Index ideal = 0;  // wavefronts of the same lanes without conflicts: as many phases and ranks
    int cluster_ranks[warp] = {};
    std::vector<int> digits;  // [lane][fine digit of assignment.threads]
  };

  Warp seen(FineDigits const& fine_digits, std::vector<Index> const& cluster_rank, int begin, int end) const {
    Warp result;
    Lane alone[warp];
    for (int t = begin; t < end; ++t) {
      int rest = t;
      Index own_rank = 0;
      for (int a : assignment_.threads) {
        int const digit = rest % fine_digits.digits[a].extent;
        rest /= fine_digits.digits[a].extent;
        result.digits.push_back(digit);
        own_rank += digit * cluster_rank[a];
      }
      alone[result.lanes] = {int(own_rank), result.lanes};
      result.cluster_ranks[result.lanes++] = int(own_rank);
    }
    result.ideal = wavefronts(alone, result.lanes, element_bytes_);
    return result;
  }

  FineAssignment const& assignment_;
  Index element_bytes_;
  bool remote_;
  Index registers_;
  std::vector<Warp> warps_;
};

/// Takes the layout if it has fewer conflicts than the best, or as few and is smaller. `to`, and others, count so many times.
void take_better(SharedLayout layout, Witnesses const& from, Witnesses const& to, Index times,
                 SharedLayout& best, Witnesses const* others = nullptr) {
  Index const limit = best.size == 0 ? std::numeric_limits<Index>::max() : best.conflicts;
  layout.conflicts = from.conflicts(layout.weight, limit);
  if (layout.conflicts <= limit) layout.conflicts += times * to.conflicts(layout.weight, limit);
  if (others && layout.conflicts <= limit)
    layout.conflicts += times * others->conflicts(layout.weight, limit);
  if (best.size == 0 || std::pair(layout.conflicts, layout.size) < std::pair(best.conflicts, best.size))
    best = std::move(layout);
}

/// Whether one gap of any size is tried instead of two of a few sizes. The threads of cosine lines come in any number, so
/// that any gap may be the one that keeps the end of a line off the banks of the next; elsewhere the few were measured.
bool any_gap(FineDigits const& fine_digits) { return fine_digits.read_makhoul || fine_digits.write_makhoul; }

/// How many elements may be left out after a digit.
std::vector<Index> pads_of(FineDigits const& fine_digits) {
  std::vector<Index> pads{1, 2, 4, 8, 3, 5, 16};
  if (any_gap(fine_digits)) pads.insert(pads.end(), {6, 7, 9, 10, 11, 12, 13, 14, 15});
  return pads;
}

struct Pad {
  int after = -1;  // place in the order
  Index elements = 0;
};

SharedLayout laid(FineDigits const& fine_digits, std::vector<int> const& order, Pad a, Pad b) {
  SharedLayout layout{std::vector<Index>(fine_digits.digits.size(), 0), 1, 0};
  Index stride = 1;
  for (int i = 0; i < int(order.size()); ++i) {
    int const extent = fine_digits.digits[order[i]].extent;
    layout.weight[order[i]] = stride;
    layout.size += stride * (extent - 1);
    stride *= extent;
    if (i == a.after) stride += a.elements;
    if (i == b.after) stride += b.elements;
  }
  return layout;
}

}  // namespace

SharedLayout pad(FineDigits const& fine_digits, FineAssignment const& from, FineAssignment const& to,
                 Index element_bytes, Index capacity) {
  std::vector<Index> cluster_rank(fine_digits.digits.size(), 0), none = cluster_rank;
  if (from.cluster_ranks != to.cluster_ranks) {
    Index span = 1;
    for (int a : to.cluster_ranks) {
      cluster_rank[a] = span;
      span *= fine_digits.digits[a].extent;
    }
  }
  auto const local = [&](std::vector<int> order) {
    std::erase_if(order, [&](int a) {
      return std::find(to.cluster_ranks.begin(), to.cluster_ranks.end(), a) != to.cluster_ranks.end();
    });
    return order;
  };
  std::vector<std::vector<int>> const orders{
      local(concatenated(concatenated(from.threads, from.registers), from.cluster_ranks)),
      local(concatenated(to.threads, to.registers)), local(concatenated(to.registers, to.threads)),
      local(concatenated(concatenated(from.registers, from.threads), from.cluster_ranks))};
  // Room that padding takes is missed by other blocks of the SM: a quarter more is as much as conflicts are worth, except
  // in tiles so small (in elements) that threads and registers bound the blocks first. A choice, not measured.
  constexpr Index small = 4096;
  capacity = std::min(capacity, std::max(small, laid(fine_digits, orders.front(), {}, {}).size * 5 / 4));
  SharedLayout best;
  Witnesses const writers(fine_digits, from, cluster_rank, element_bytes,
                          from.cluster_ranks != to.cluster_ranks);
  Witnesses const readers(fine_digits, to, none, element_bytes, false);
  auto const consider = [&](SharedLayout layout) {
    if (layout.size <= capacity) take_better(std::move(layout), writers, readers, 1, best);
  };
  auto const pads = pads_of(fine_digits);
  for (auto const& order : orders) consider(laid(fine_digits, order, {}, {}));
  for (auto const& order : orders)
    for (int a = 0; a + 1 < int(order.size()) && best.conflicts > 0; ++a)
      for (Index p : pads) consider(laid(fine_digits, order, {a, p}, {}));
  for (auto const& order : orders)
    for (int a = 0; a + 1 < int(order.size()) && best.conflicts > 0; ++a)
      for (int b = a + 1; b + 1 < int(order.size()) && !any_gap(fine_digits); ++b)
        for (Index p : {1, 2, 4, 8})
          for (Index q : {1, 2, 4, 8}) consider(laid(fine_digits, order, {a, p}, {b, q}));
  if (best.size == 0)
    throw Error("program: tile", "the exchange does not fit " + std::to_string(capacity * element_bytes) +
                                     " bytes of shared memory");
  return best;
}

SharedLayout pad_straight(FineDigits const& fine_digits, std::vector<StraightLine> const& lines,
                          FineAssignment const& from, FineAssignment const& to, Index element_bytes,
                          Index capacity, FineAssignment const* also) {
  int const n = int(fine_digits.digits.size()), m = int(lines.size());
  // Items to lay down: lines are 0..m-1, fine digits of no line come after.
  auto const item_of = [&](int a) {
    for (int l = 0; l < m; ++l)
      if (lines[l].index[a] > 0) return l;
    return m + a;
  };
  auto const order_of = [&](std::vector<int> const& list) {
    std::vector<int> items;
    for (int a : list)
      if (std::find(items.begin(), items.end(), item_of(a)) == items.end()) items.push_back(item_of(a));
    return items;
  };
  std::vector<Index> const none(n, 0);
  Witnesses const writers(fine_digits, from, none, element_bytes, false),
      readers(fine_digits, to, none, element_bytes, false),
      others(fine_digits, *(also ? also : &to), none, element_bytes, false);
  SharedLayout best;
  auto const consider = [&](std::vector<int> const& items, int after, Index unused) {
    SharedLayout layout{std::vector<Index>(n, 0), 1, 0};
    Index stride = 1;
    for (int i = 0; i < int(items.size()); ++i) {
      bool const line = items[i] < m;
      Index const places = line ? lines[items[i]].places : fine_digits.digits[items[i] - m].extent;
      for (int a = 0; a < n; ++a)
        if (item_of(a) == items[i]) layout.weight[a] = stride * (line ? lines[items[i]].index[a] : 1);
      layout.size += stride * (places - 1);
      stride = stride * places + (i == after ? unused : 0);
    }
    if (layout.size > capacity) return;
    take_better(std::move(layout), writers, readers, 2, best, also ? &others : nullptr);
  };
  auto const pads = pads_of(fine_digits);
  for (auto const& list :
       {concatenated(to.threads, to.registers), concatenated(from.threads, from.registers),
        concatenated(to.registers, to.threads), concatenated(from.registers, from.threads)}) {
    auto const items = order_of(list);
    consider(items, -1, 0);
    for (int a = 0; a + 1 < int(items.size()) && best.conflicts > 0; ++a)
      for (Index p : pads) consider(items, a, p);
  }
  if (best.size == 0)
    throw Error("program: tile", "the Hermitian split does not fit " +
                                     std::to_string(capacity * element_bytes) + " bytes of shared memory");
  return best;
}

SharedLayout pad_makhoul(FineDigits const& fine_digits, std::vector<Index> const& index,
                         FineAssignment const& parts, FineAssignment const& whole, Index element_bytes,
                         Index capacity) {
  int const n = int(fine_digits.digits.size());
  std::vector<Index> const none(n, 0);
  Witnesses const by_parts(fine_digits, parts, none, element_bytes / 2, false),
      by_elements(fine_digits, whole, none, element_bytes, false);
  Index length = 1;
  for (int a = 0; a < n; ++a) length += index[a] * (fine_digits.digits[a].extent - 1);
  SharedLayout best;
  for (auto const& list :
       {concatenated(whole.threads, whole.registers), concatenated(parts.threads, parts.registers)})
    for (Index unused = 0; unused <= 16; ++unused) {
      SharedLayout layout{index, length, 0};
      Index stride = length + unused;
      for (int a : list)
        if (index[a] == 0) {
          layout.weight[a] = stride;
          layout.size += stride * (fine_digits.digits[a].extent - 1);
          stride *= fine_digits.digits[a].extent;
        }
      if (layout.size > capacity) continue;
      std::vector<Index> places(n);
      for (int a = 0; a < n; ++a) places[a] = 2 * layout.weight[a] - index[a];
      Index const limit = std::numeric_limits<Index>::max();
      layout.conflicts = 2 * by_parts.conflicts(places, limit) + by_elements.conflicts(layout.weight, limit);
      if (best.size == 0 || std::pair(layout.conflicts, layout.size) < std::pair(best.conflicts, best.size))
        best = std::move(layout);
    }
  if (best.size == 0)
    throw Error("program: tile", "the makhoul of a cosine transform does not fit " +
                                     std::to_string(capacity * element_bytes) + " bytes of shared memory");
  return best;
}

}  // namespace skipper
