// See lengths.h.
#include "plan/lengths.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "base/numbers.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// The fewest radices up to `most` that multiply to m. What is known of divisors is kept: the ways to order radices are too many.
class FewestRadices {
 public:
  explicit FewestRadices(Index most) : max_(most) {}

  int of(Index m) {
    if (m <= max_) return 1;
    if (auto const found = known_.find(m); found != known_.end()) return found->second;
    int best = std::numeric_limits<int>::max() / 2;
    for (Index radix = max_; radix > 1; --radix)
      if (m % radix == 0) best = std::min(best, 1 + of(m / radix));
    return known_[m] = best;
  }

 private:
  Index max_;
  std::unordered_map<Index, int> known_;
};

}  // namespace

bool is_non_smooth(Index n, Index element_bytes) { return !is_smooth(n, largest_radix_prime(element_bytes)); }

bool has_rader(Index n) {
  return n > largest_common_radix_prime && is_prime(n) && is_smooth(n - 1, max_rader_radix);
}

Index rader_cofactor(Index n) {
  Index prime = 1;
  for (Factor const& f : factorise(n)) prime = std::max(prime, f.power == 1 ? f.prime : 1);
  Index const rest = n / prime;
  if (!has_rader(prime) || rest > max_rader_cofactor) return 0;
  // Beside another radix no line stays in its place.
  return rest == 1 || is_smooth(prime - 1, largest_common_radix_prime) ? rest : 0;
}

Index least_convolution(Problem const& problem, Dimension const& dim, Index n) {
  return problem.kind == Kind::r2c && dim.halved && n == dim.size ? n + n / 2 : least_convolution(n);
}

Index least_on_chip(Problem const& problem, Dimension const& dim, Index n) {
  bool const doubles = problem.precision == Precision::f64;
  return doubles ? least_convolution(n) : least_convolution(problem, dim, n);
}

namespace {

/// The numbers within least..most whose primes are up to 7, ascending.
std::vector<Index> smooth_within(Index least, Index most) {
  std::vector<Index> found{1};
  for (Index prime : {7, 5, 3, 2})
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] <= most / prime) found.push_back(found[i] * prime);
  std::sort(found.begin(), found.end());
  found.erase(found.begin(), std::lower_bound(found.begin(), found.end(), least));
  return found;
}

/// Each radix more is an exchange more in either transform; a length that is no multiple of a warp leaves lanes idle.
Index weighed_length(Index least, Index element_bytes) {
  Index const max_radix = element_bytes == 8 ? 32 : 16;
  Index const end = Index(std::bit_ceil(std::uint64_t(least)));
  Index best = 0;
  double lowest = 0;
  FewestRadices radices(max_radix);
  for (Index m : smooth_within(least, end)) {
    // No fewer radices than this; most lengths are ruled out before their radices are searched.
    int fewest = 1;
    for (Index reach = max_radix; reach < m; reach *= max_radix) ++fewest;
    if (best > 0 && double(m) * (0.5 + fewest) >= lowest) continue;
    double const cost = double(m) * (0.5 + radices.of(m)) * (m % 32 ? 1.15 : 1.0);
    if (best == 0 || cost < lowest) lowest = cost, best = m;
  }
  return best;
}

}  // namespace

/// Cached, since the planner needs a few lengths a thousand times.
Index convolution_length(Index least, Index element_bytes) {
  struct Known {
    Index least = 0, element_bytes = 0, length = 0;
  };
  thread_local std::array<Known, 256> known;
  std::uint64_t const mixed = std::uint64_t(least + element_bytes) * 0x9e3779b97f4a7c15u;
  Known& slot = known[std::size_t(mixed >> 56)];
  if (slot.least != least || slot.element_bytes != element_bytes)
    slot = {least, element_bytes, weighed_length(least, element_bytes)};
  return slot.length;
}

std::vector<Index> convolution_lengths(Index least, Index element_bytes) {
  std::vector<Index> lengths{convolution_length(least, element_bytes)};
  for (Index odd : {1, 3, 5, 7, 9, 15, 21, 25, 27}) {
    Index m = odd;
    while (m < least) m *= 2;
    if (m % 16 == 0 && m != lengths.front()) lengths.push_back(m);
  }
  return lengths;
}

std::vector<Index> spread_lengths(Index least) {
  std::vector<Index> lengths;
  Index const unit = 256;  // so that either part of it has whole segments and whole warps
  for (Index m = next_smooth((least + unit - 1) / unit, 7); lengths.size() < 3; m = next_smooth(m + 1, 7))
    lengths.push_back(m * unit);
  return lengths;
}

}  // namespace skipper
