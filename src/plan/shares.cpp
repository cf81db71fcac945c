// See shares.h.
#include "plan/shares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"

namespace skipper {
namespace {

/// Finds shares of n points. Of all radices that would do, each is one of the `choices` nearest to equal parts.
class Finder {
 public:
  Finder(DealSpace const& space, std::size_t choices)
      : share_(std::size_t(space.sweeps), 1), capacity_(space.capacity), choices_(choices) {}

  /// Ways to write n as a product over the sweeps with exactly `parts` factors above 1.
  void cut(Index n, int parts) { cut(n, 0, parts, parts - 1); }
  /// Ways to give each of `there` radices of m to a sweep and, but for the last, to a later one as well.
  void convolve(Index m, int there) {
    at_.clear();
    convolve(m, 0, there);
  }

  bool too_many() const { return found_.size() > most_shares; }
  std::vector<CutShare> const& found() const { return found_; }

 private:
  /// Whether so many radices of at most the capacity can multiply to n.
  bool within_reach(Index n, int parts) const {
    return double(parts) * std::log2(double(capacity_)) + 1e-6 >= std::log2(double(n));
  }

  std::vector<Index> radices(Index n, int parts) const {
    std::vector<Index> fitting;
    for (Index r : divisors(n))
      if (r > 1 && r <= capacity_ && (parts > 1 || r == n) && within_reach(n / r, parts - 1))
        fitting.push_back(r);
    if (fitting.size() <= choices_) return fitting;
    double const even = std::log2(double(n)) / parts;
    std::stable_sort(fitting.begin(), fitting.end(), [&](Index a, Index b) {
      return std::abs(std::log2(double(a)) - even) < std::abs(std::log2(double(b)) - even);
    });
    fitting.resize(choices_);
    std::sort(fitting.begin(), fitting.end());
    return fitting;
  }

  void cut(Index n, int s, int parts, int cuts) {
    int const left = int(share_.size()) - s;
    if (too_many()) return;
    if (parts == 0) {
      if (n == 1) keep(cuts);
      return;
    }
    if (parts > left) return;
    if (parts < left) cut(n, s + 1, parts, cuts);  // nothing for this sweep
    for (Index radix : radices(n, parts)) {
      share_[std::size_t(s)] = radix;
      cut(n / radix, s + 1, parts - 1, cuts);
      share_[std::size_t(s)] = 1;
    }
  }

  void convolve(Index m, int s, int there) {
    int const sweeps = int(share_.size()), placed = int(at_.size()), all = 2 * there - 1;
    if (too_many()) return;
    if (placed == all) {
      keep(all - 1);
      return;
    }
    for (int i = s; i <= sweeps - (all - placed); ++i) {
      if (placed < there) {  // on the way to the middle
        for (Index r : radices(m, there - placed)) give(i, r, m / r, there);
      } else {  // on the way back
        give(i, share_[std::size_t(at_[std::size_t(2 * there - 2 - placed)])], m, there);
      }
    }
  }

  void keep(int cuts) {
    double bits = 0;
    for (Index r : share_) bits += std::log2(double(r));
    found_.push_back({share_, cuts, bits});
  }

  void give(int sweep, Index radix, Index rest, int there) {
    share_[std::size_t(sweep)] = radix;
    at_.push_back(sweep);
    convolve(rest, sweep + 1, there);
    at_.pop_back();
    share_[std::size_t(sweep)] = 1;
  }

  Share share_;
  Index capacity_;
  std::size_t choices_;
  std::vector<int> at_;
  std::vector<CutShare> found_;
};

/// Whether a share has the radices that are wanted; one of a convolved axis none.
bool has_radices(CutShare const& way, Index size, std::vector<Index> const& wanted) {
  auto const [sweeps, there] = parts_of(way.share, size);
  std::vector<Index> radices;
  for (int s : sweeps)
    if (there == sweeps.size()) radices.push_back(way.share[std::size_t(s)]);
  return radices == wanted;
}

}  // namespace

std::vector<CutShare> shares_of(DealSpace const& space, std::size_t axis) {
  Index const n = space.axes[axis];
  int const cuts = !space.whole.empty() && space.whole[axis] ? 0 : std::min(space.cuts, space.sweeps - 1);
  for (std::size_t choices : {std::numeric_limits<std::size_t>::max(), std::size_t(32), std::size_t(16),
                              std::size_t(8), std::size_t(4), std::size_t(2), std::size_t(1)}) {
    Finder finder(space, choices);
    for (int parts = 1; parts <= cuts + 1; ++parts) finder.cut(n, parts);
    for (int there = 2; 2 * there - 2 <= cuts; ++there)
      for (Index m : space.lengths[axis]) finder.convolve(m, there);
    if (finder.too_many() && choices > 1) continue;
    std::vector<CutShare> found = finder.found();
    if (!space.radices.empty())
      std::erase_if(found, [&](CutShare const& w) { return !has_radices(w, n, space.radices[axis]); });
    return found;
  }
  return {};
}

}  // namespace skipper
