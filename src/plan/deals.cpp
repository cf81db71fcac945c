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

/// Ways to give each of `there` radices of m to a sweep and, but for the last, to a later one as well.
void palindromes(Index m, int s, int there, Index capacity, std::vector<int>& at, Share& share,
                 std::vector<Share>& found) {
  int const sweeps = int(share.size()), placed = int(at.size());
  if (placed < there) {  // on the way to the middle
    for (int i = s; i < sweeps; ++i)
      for (Index r : divisors(m)) {
        if (r == 1 || r > capacity || (placed + 1 == there && r != m)) continue;
        at.push_back(i);
        share[i] = r;
        palindromes(m / r, i + 1, there, capacity, at, share, found);
        share[i] = 1;
        at.pop_back();
      }
    return;
  }
  if (placed == 2 * there - 1) {
    found.push_back(share);
    return;
  }
  for (int i = s; i < sweeps; ++i) {  // on the way back
    share[i] = share[at[2 * there - 2 - placed]];
    at.push_back(i);
    palindromes(m, i + 1, there, capacity, at, share, found);
    at.pop_back();
    share[i] = 1;
  }
}

struct Search {
  std::vector<Index> axes;
  std::vector<std::vector<Index>> lengths;
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
    for (int there = 2; 2 * there - 2 <= cuts; ++there)
      for (Index m : lengths[axis]) {
        std::vector<Share> ways;
        Share share(sweeps, 1);
        std::vector<int> at;
        palindromes(m, 0, there, capacity, at, share, ways);
        for (Share const& way : ways) add(axis, way, cuts - (2 * there - 2));
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
  return deals(axes, std::vector<std::vector<Index>>(axes.size()), sweeps, cuts, capacity);
}

std::vector<Deal> deals(std::vector<Index> const& axes, std::vector<std::vector<Index>> const& lengths,
                        int sweeps, int cuts, Index capacity) {
  Search search{axes, lengths, sweeps, capacity, std::vector<Index>(sweeps, 1), {}, {}};
  search.run(0, cuts);
  return search.found;
}

Parts parts_of(Share const& share, Index size) {
  Parts parts;
  Index product = 1;
  for (std::size_t s = 0; s < share.size(); ++s)
    if (share[s] > 1) {
      parts.sweeps.push_back(int(s));
      product *= share[s];
    }
  parts.there = product == size ? parts.sweeps.size() : (parts.sweeps.size() + 1) / 2;
  return parts;
}

}  // namespace skipper
