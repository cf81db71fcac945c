// See axis_splits.h.
#include "plan/axis_splits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/numbers.h"

namespace skipper {
namespace {

/// A radix and log2 of it.
struct Radix {
  Index size = 1;
  double bits = 0;
};

/// Finds splits of n points. Of all radices that would do, each is one of the `choices` nearest to equal parts.
class Finder {
 public:
  Finder(FactorisationSpace const& space, std::size_t choices)
      : split_(std::size_t(space.sweeps), 1), capacity_(space.capacity), choices_(choices) {}

  /// How many splits cut(n, parts) finds, and convolve(m, there); of very many about so.
  double count_cut(Index n, int parts) { return ways(n, parts) * places(parts); }
  double count_convolved(Index m, int there) { return ways(m, there) * places(2 * there - 1); }

  /// Ways to write n as a product over the sweeps with exactly `parts` factors above 1.
  void cut(Index n, int parts) { cut(n, 0, parts, parts - 1, 0); }
  /// Ways to give each of `there` radices of m to a sweep and, but for the last, to a later one as well.
  void convolve(Index m, int there) {
    at_.clear();
    convolve(m, 0, there, 0);
  }

  std::vector<AxisSplit>& found() { return found_; }

 private:
  /// Whether so many radices of at most the capacity can multiply to n.
  bool within_reach(Index n, int parts) const {
    return double(parts) * std::log2(double(capacity_)) + 1e-6 >= std::log2(double(n));
  }

  /// The first of so many radices of n, worked out once.
  std::vector<Radix> const& radices(Index n, int parts) {
    auto const [known, fresh] = radices_.try_emplace({n, parts});
    if (!fresh) return known->second;
    std::vector<Radix> fitting;
    for (Index r : divisors(n))
      if (r > 1 && r <= capacity_ && (parts > 1 || r == n) && within_reach(n / r, parts - 1))
        fitting.push_back({r, std::log2(double(r))});
    if (fitting.size() > choices_) {
      double const even = std::log2(double(n)) / parts;
      std::stable_sort(fitting.begin(), fitting.end(), [&](Radix const& a, Radix const& b) {
        return std::abs(a.bits - even) < std::abs(b.bits - even);
      });
      fitting.resize(choices_);
      std::sort(fitting.begin(), fitting.end(),
                [](Radix const& a, Radix const& b) { return a.size < b.size; });
    }
    return known->second = std::move(fitting);
  }

  /// Products of so many radices that are n, in order.
  double ways(Index n, int parts) {
    if (parts == 0) return n == 1;
    auto const [known, fresh] = ways_.try_emplace({n, parts});
    if (!fresh) return known->second;
    double all = 0;
    for (Radix const& r : radices(n, parts)) all += ways(n / r.size, parts - 1);
    return known->second = all;
  }

  /// Ways to choose so many of the sweeps.
  double places(int parts) const {
    double all = 1;
    for (int i = 0; i < parts; ++i) all = all * double(int(split_.size()) - i) / double(i + 1);
    return std::max(0.0, all);
  }

  void cut(Index n, int s, int parts, int cuts, double bits) {
    int const left = int(split_.size()) - s;
    if (parts == 0) {
      if (n == 1) found_.push_back({split_, cuts, bits});
      return;
    }
    if (parts > left) return;
    if (parts < left) cut(n, s + 1, parts, cuts, bits);  // nothing for this sweep
    for (Radix const& radix : radices(n, parts)) {
      split_[std::size_t(s)] = radix.size;
      cut(n / radix.size, s + 1, parts - 1, cuts, bits + radix.bits);
      split_[std::size_t(s)] = 1;
    }
  }

  void convolve(Index m, int s, int there, double bits) {
    int const sweeps = int(split_.size()), placed = int(at_.size()), all = 2 * there - 1;
    if (placed == all) {
      found_.push_back({split_, all - 1, bits});
      return;
    }
    for (int i = s; i <= sweeps - (all - placed); ++i) {
      if (placed < there) {  // on the way to the middle
        for (Radix const& r : radices(m, there - placed)) give(i, r, m / r.size, there, bits);
      } else {  // on the way back
        Index const r = split_[std::size_t(at_[std::size_t(2 * there - 2 - placed)])];
        give(i, {r, std::log2(double(r))}, m, there, bits);
      }
    }
  }

  void give(int sweep, Radix radix, Index rest, int there, double bits) {
    split_[std::size_t(sweep)] = radix.size;
    at_.push_back(sweep);
    convolve(rest, sweep + 1, there, bits + radix.bits);
    at_.pop_back();
    split_[std::size_t(sweep)] = 1;
  }

  AxisRadices split_;
  Index capacity_;
  std::size_t choices_;
  std::vector<int> at_;
  std::map<std::pair<Index, int>, std::vector<Radix>> radices_;
  std::map<std::pair<Index, int>, double> ways_;
  std::vector<AxisSplit> found_;
};

/// Whether a split has the radices that are wanted; one of a convolved axis none.
bool has_radices(AxisSplit const& cut, Index size, std::vector<Index> const& wanted) {
  auto const [sweeps, there] = active_sweeps(cut.radices, size);
  std::vector<Index> radices;
  for (int s : sweeps)
    if (there == sweeps.size()) radices.push_back(cut.radices[std::size_t(s)]);
  return radices == wanted;
}

}  // namespace

std::vector<AxisSplit> axis_splits(FactorisationSpace const& space, std::size_t axis) {
  Index const n = space.axes[axis];
  int const cuts = !space.whole.empty() && space.whole[axis] ? 0 : std::min(space.cuts, space.sweeps - 1);
  for (std::size_t choices : {std::numeric_limits<std::size_t>::max(), std::size_t(32), std::size_t(16),
                              std::size_t(8), std::size_t(4), std::size_t(2), std::size_t(1)}) {
    Finder finder(space, choices);
    double all = 0;
    for (int parts = 1; parts <= cuts + 1; ++parts) all += finder.count_cut(n, parts);
    for (int there = 2; 2 * there - 2 <= cuts; ++there)
      for (Index m : space.lengths[axis]) all += finder.count_convolved(m, there);
    if (all > double(max_axis_splits) && choices > 1) continue;
    for (int parts = 1; parts <= cuts + 1; ++parts) finder.cut(n, parts);
    for (int there = 2; 2 * there - 2 <= cuts; ++there)
      for (Index m : space.lengths[axis]) finder.convolve(m, there);
    std::vector<AxisSplit> found = std::move(finder.found());
    if (!space.radices.empty())
      std::erase_if(found, [&](AxisSplit const& w) { return !has_radices(w, n, space.radices[axis]); });
    return found;
  }
  return {};
}

}  // namespace skipper
