// See factorisations.h.
#include "plan/factorisations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "plan/axis_splits.h"

namespace skipper {
namespace {

/// `most` of n things, evenly: whether to keep number i.
bool kept(std::size_t i, std::size_t n, std::size_t most) {
  return n <= most || (i + 1) * most / n > i * most / n;
}

/// What the axes that are not assigned yet need at the least and can take at the most.
struct Rest {
  int axes = 0, least_cuts = 0, max_cuts = 0;
  double bits = 0;  // log2 of their points
};

/// Factorisations of the first axes, each the factorisation of one axis less and a split of the last. Loads are the points of
/// transforms in each sweep so far.
struct Level {
  std::vector<std::uint32_t> parents, splits;
  std::vector<int> cuts;
  std::vector<double> bits;  // log2 of all loads together
  std::vector<Index> loads;
  std::vector<std::uint8_t> crowds;  // of each sweep: axes, and 16 more where there is a cosine axis
  std::size_t size() const { return parents.size(); }
};

enum class Fit : std::uint8_t { no, tight, roomy };

class Assigner {
 public:
  explicit Assigner(FactorisationSpace const& space)
      : space_(space),
        sweeps_(std::size_t(space.sweeps)),
        room_(space.sweeps * std::log2(double(space.capacity))) {}

  Index tried() const { return tried_; }

  std::vector<Factorisation> run() {
    std::size_t const axes = space_.axes.size();
    for (std::size_t a = 0; a < axes; ++a) {
      splits_.push_back(axis_splits(space_, a));
      if (splits_.back().empty()) return {};
    }
    Level start;
    start.parents = start.splits = {0};
    start.cuts = {space_.cuts};
    start.bits = {0};
    start.loads.assign(sweeps_, 1);
    start.crowds.assign(sweeps_, 0);
    levels_.push_back(std::move(start));
    for (std::size_t a = 0; a < axes && levels_.back().size() > 0; ++a) extend(a);
    std::vector<Factorisation> found;
    if (axes > 0 && levels_.size() == axes + 1)
      for (std::size_t i = 0; i < levels_.back().size(); ++i) found.push_back(factorisation(i));
    return found;
  }

 private:
  Rest rest_after(std::size_t axis) const {
    Rest rest;
    for (std::size_t a = axis + 1; a < splits_.size(); ++a) {
      auto const [least, most] =
          std::minmax_element(splits_[a].begin(), splits_[a].end(),
                              [](AxisSplit const& x, AxisSplit const& y) { return x.cuts < y.cuts; });
      rest.axes += 1;
      rest.least_cuts += least->cuts;
      rest.max_cuts += most->cuts;
      rest.bits += std::log2(double(space_.axes[a]));
    }
    return rest;
  }

  bool shares_with_cosines(std::uint8_t crowd, bool cosine) const {
    constexpr int flag = 16;
    bool const any = cosine || (crowd & flag);
    return any && (crowd & (flag - 1)) >= 2;
  }

  /// Whether factorisation i of a level can have split w of the next axis as well, and still become whole.
  Fit fit(Level const& level, std::size_t i, AxisSplit const& w, bool cosine, Rest const& rest) const {
    int const cuts = level.cuts[i] - w.cuts;
    if (level.bits[i] + w.bits + rest.bits > room_ + 1e-6) return Fit::no;
    int idle = 0;
    Index largest = 1;
    for (std::size_t s = 0; s < sweeps_; ++s) {
      Index const load = level.loads[i * sweeps_ + s], radix = w.radices[s];
      if (load > space_.capacity / radix) return Fit::no;
      if (radix > 1 && shares_with_cosines(level.crowds[i * sweeps_ + s], cosine)) return Fit::no;
      largest = std::max(largest, load * radix);
      idle += load * radix == 1;
    }
    if (idle > rest.axes + cuts) return Fit::no;
    return largest <= space_.roomy ? Fit::roomy : Fit::tight;
  }

  /// Extensions: factorisations of the last level, and the splits of the axis that may go with them by their cuts, for each number
  /// of cuts that are left to a factorisation. Of too many both sides are thinned out.
  struct Extensions {
    std::vector<std::uint32_t> factorisations;
    std::vector<std::vector<std::uint32_t>> splits;
  };
  Extensions extensions(std::size_t axis, Rest const& rest) const {
    Level const& level = levels_.back();
    std::size_t const room = space_.extensions / space_.axes.size(),
                      even = std::size_t(std::sqrt(double(room)));
    Extensions found{{}, std::vector<std::vector<std::uint32_t>>(std::size_t(space_.cuts) + 1)};
    for (std::size_t w = 0; w < splits_[axis].size(); ++w)
      for (int left = 0; left <= space_.cuts; ++left)
        if (int const cuts = left - splits_[axis][w].cuts; cuts >= rest.least_cuts && cuts <= rest.max_cuts)
          found.splits[std::size_t(left)].push_back(std::uint32_t(w));
    auto const count = [&] {
      std::size_t all = 0;
      for (int left : level.cuts) all += found.splits[std::size_t(left)].size();
      return all;
    };
    if (count() > room)
      for (auto& splits : found.splits) {
        std::size_t at = 0;
        std::size_t const n = splits.size(), most = std::max(even, room / level.size());
        std::erase_if(splits, [&](std::uint32_t) { return !kept(at++, n, most); });
      }
    std::size_t const all = count(), n = level.size(),
                      most = all > room ? std::max<std::size_t>(1, n * room / all) : n;
    for (std::size_t i = 0; i < n; ++i)
      if (kept(i, n, most)) found.factorisations.push_back(std::uint32_t(i));
    return found;
  }

  void extend(std::size_t axis) {
    Level const& level = levels_.back();
    std::size_t const most = max_factorisations / space_.axes.size();
    bool const cosine = !space_.cosines.empty() && space_.cosines[axis];
    Rest const rest = rest_after(axis);
    Extensions const tried = extensions(axis, rest);
    auto const each = [&](auto const& visit) {
      for (std::uint32_t i : tried.factorisations)
        for (std::uint32_t w : tried.splits[std::size_t(level.cuts[i])]) visit(i, w);
    };
    std::vector<Fit> fits;
    std::size_t count[3] = {};
    each([&](std::uint32_t i, std::uint32_t w) {
      fits.push_back(fit(level, i, splits_[axis][w], cosine, rest));
      ++count[std::size_t(fits.back())];
    });
    tried_ += Index(fits.size());
    std::size_t const roomy = count[2], tight = count[1], max_tight = most - std::min(most, roomy);
    Level next;
    std::size_t seen[3] = {}, at = 0;
    each([&](std::uint32_t i, std::uint32_t w) {
      Fit const f = fits[at++];
      if (f == Fit::no) return;
      std::size_t const number = seen[std::size_t(f)]++;
      if (kept(number, f == Fit::roomy ? roomy : tight, f == Fit::roomy ? most : max_tight))
        add(level, i, w, splits_[axis][w], cosine, next);
    });
    levels_.push_back(std::move(next));
  }

  void add(Level const& level, std::uint32_t i, std::uint32_t w, AxisSplit const& cut, bool cosine,
           Level& next) const {
    next.parents.push_back(i);
    next.splits.push_back(w);
    next.cuts.push_back(level.cuts[i] - cut.cuts);
    next.bits.push_back(level.bits[i] + cut.bits);
    for (std::size_t s = 0; s < sweeps_; ++s) {
      bool const any = cut.radices[s] > 1;
      std::uint8_t const crowd = level.crowds[i * sweeps_ + s];
      next.loads.push_back(level.loads[i * sweeps_ + s] * cut.radices[s]);
      next.crowds.push_back(std::uint8_t(((crowd & 15) + (any && (crowd & 15) < 15)) | (crowd & 16) |
                                         (any && cosine ? 16 : 0)));
    }
  }

  Factorisation factorisation(std::size_t i) const {
    Factorisation found(space_.axes.size());
    for (std::size_t a = found.size(); a-- > 0;) {
      found[a] = splits_[a][levels_[a + 1].splits[i]].radices;
      i = levels_[a + 1].parents[i];
    }
    return found;
  }

  FactorisationSpace const& space_;
  std::size_t sweeps_;
  double room_ = 0;  // log2 of what all sweeps hold together
  std::vector<std::vector<AxisSplit>> splits_;
  std::vector<Level> levels_;
  Index tried_ = 0;
};

}  // namespace

std::vector<Factorisation> factorisations(FactorisationSpace const& space) {
  Index extensions = 0;
  return factorisations(space, extensions);
}

std::vector<Factorisation> factorisations(FactorisationSpace const& space, Index& extensions) {
  Assigner assigner(space);
  auto found = assigner.run();
  extensions += assigner.tried();
  return found;
}

std::vector<Factorisation> factorisations(std::vector<Index> const& axes, int sweeps, int cuts,
                                          Index capacity) {
  return factorisations(axes, std::vector<std::vector<Index>>(axes.size()), sweeps, cuts, capacity);
}

std::vector<Factorisation> factorisations(std::vector<Index> const& axes,
                                          std::vector<std::vector<Index>> const& lengths, int sweeps,
                                          int cuts, Index capacity) {
  return factorisations(FactorisationSpace{
      .axes = axes, .lengths = lengths, .sweeps = sweeps, .cuts = cuts, .capacity = capacity});
}

ActiveSweeps active_sweeps(AxisRadices const& radices, Index size) {
  ActiveSweeps parts;
  Index product = 1;
  for (std::size_t s = 0; s < radices.size(); ++s)
    if (radices[s] > 1) {
      parts.sweeps.push_back(int(s));
      product *= radices[s];
    }
  parts.forward = product == size ? parts.sweeps.size() : (parts.sweeps.size() + 1) / 2;
  return parts;
}

}  // namespace skipper
