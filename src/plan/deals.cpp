#include "plan/deals.h"

#include "base/numbers.h"

namespace skipper {
namespace {

/// Ways to write n as a product over sweeps s.. with exactly `parts` factors above 1.
void shares(Index n, int s, int parts, Index capacity, Share& share, std::vector<Share>& found) {
  int const sweeps = int(share.size());
  if (parts == 0) {
    if (n == 1) found.push_back(share);
    return;
  }
  if (s == sweeps || parts > sweeps - s) return;
  for (Index radix : divisors(n)) {
    bool const last = parts == 1 && radix != 1;
    if (radix > capacity || (last && radix != n)) continue;
    share[s] = radix;
    shares(n / radix, s + 1, radix == 1 ? parts : parts - 1, capacity, share, found);
    share[s] = 1;
  }
}

struct Search {
  std::vector<Index> axes;
  int sweeps;
  Index capacity;
  std::vector<Index> load;  // points of transforms in each sweep so far
  Deal deal;
  std::vector<Deal> found;

  void run(std::size_t axis, int cuts) {
    if (axis == axes.size()) {
      if (cuts != 0) return;
      for (Index l : load)
        if (l == 1) return;
      found.push_back(deal);
      return;
    }
    for (int parts = 1; parts <= cuts + 1; ++parts) {
      std::vector<Share> ways;
      Share share(sweeps, 1);
      shares(axes[axis], 0, parts, capacity, share, ways);
      for (Share const& way : ways) add(axis, way, cuts - (parts - 1));
    }
  }

  void add(std::size_t axis, Share const& way, int cuts) {
    bool fits = true;
    for (int s = 0; s < sweeps; ++s) fits = fits && load[s] <= capacity / way[s];
    if (!fits) return;
    for (int s = 0; s < sweeps; ++s) load[s] *= way[s];
    deal.push_back(way);
    run(axis + 1, cuts);
    deal.pop_back();
    for (int s = 0; s < sweeps; ++s) load[s] /= way[s];
  }
};

}  // namespace

std::vector<Deal> deals(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity) {
  Search search{axes, sweeps, capacity, std::vector<Index>(sweeps, 1), {}, {}};
  search.run(0, cuts);
  return search.found;
}

}  // namespace skipper
