// See radices.h. The cost of a pass between the first and the last does not depend on its place, so the best product is found by
// recursion on what remains between these two.
#include "cpu/radices.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/numbers.h"
#include "cpu/kernels.h"

namespace skipper::cpu {
namespace {

// Picoseconds a point by radix [0..max_radix], in L1. Only the ratios matter. 9999: radices below 4 never come first in a
// single line of f32. Fitted: bench/results/h200-choices.md.
struct Costs {
  double first_line[max_radix + 1];
  double inner[max_radix + 1];
  double last[max_radix + 1];
};
constexpr Costs costs32 = {
    {0, 0, 9999, 9999, 607, 974, 756, 831, 617, 1013, 798, 1027, 693, 1129, 857, 916, 765},
    {0, 0, 284, 436, 380, 575, 503, 596, 477, 792, 609, 833, 540, 887, 694, 826, 731},
    {0, 0, 276, 398, 324, 514, 430, 534, 425, 707, 546, 780, 476, 841, 655, 753, 598}};
constexpr Costs costs64 = {
    {0, 0, 906, 1486, 1060, 1508, 1211, 1391, 1119, 1803, 1416, 1881, 1224, 2005, 1545, 1748, 1409},
    {0, 0, 533, 835, 699, 1141, 973, 1164, 901, 1539, 1194, 1753, 1076, 1801, 1482, 1614, 1498},
    {0, 0, 498, 755, 616, 997, 841, 1041, 830, 1401, 1073, 1558, 962, 1684, 1323, 1550, 1227}};

/// Every radix has a cost: one with cost 0 would always win.
constexpr bool has_all(Costs const& costs) {
  for (auto const* row : {costs.first_line, costs.inner, costs.last})
    for (int r = 2; r <= max_radix; ++r)
      if (row[r] <= 0) return false;
  return true;
}
static_assert(has_all(costs32) && has_all(costs64));

constexpr bool is_small_prime(int n) {
  for (int d = 2; d < n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

constexpr int largest_prime_up_to(int n) {
  while (!is_small_prime(n)) --n;
  return n;
}
static_assert(max_radix_prime == largest_prime_up_to(max_radix));

/// pass_radices has no gaps: passes are looked up by any radix up to max_radix.
constexpr bool has_all_passes() {
  for (int r = 1; r <= max_radix; ++r)
    if (pass_radices[r - 1] != r) return false;
  return std::size(pass_radices) == max_radix;
}
static_assert(has_all_passes());

Costs const& costs(int scalar_bytes) { return scalar_bytes == 4 ? costs32 : costs64; }

/// The same for primes above max_radix (symmetric prime DFTs): a constant, and a term for each row of multiplications.
double symmetric_prime_cost(int radix, int scalar_bytes) {
  int const rows = (radix / 2 + 3) / 4 * 4;
  return (300 + 80.0 * rows) * scalar_bytes / 4;
}

class Chooser {
 public:
  Chooser(Index n, int scalar_bytes) : bytes_(scalar_bytes) {
    for (int r = max_symmetric_prime; r > 1; --r)
      if (n % r == 0 && (r <= max_radix || is_prime(r))) radices_.push_back(r);
  }

  std::vector<int> const& radices() const { return radices_; }
  double first_line(int r) const { return pass_cost(r, bytes_).first_line; }
  double inner(int r) const { return pass_cost(r, bytes_).inner; }
  double last(int r) const { return pass_cost(r, bytes_).last; }

  /// The cost of the cheapest inner passes whose radices have the product n.
  double inner_cost(Index n) { return choice(n).cost; }

  /// Their radices, the largest first.
  std::vector<int> passes_between(Index n) {
    std::vector<int> radices;
    for (; n > 1; n /= radices.back()) radices.push_back(choice(n).radix);
    std::sort(radices.rbegin(), radices.rend());
    return radices;
  }

 private:
  struct Choice {
    double cost = 1e300;
    int radix = 1;  // of the first of them
  };

  Choice choice(Index n) {
    if (n == 1) return {0, 1};
    if (auto const known = memory_.find(n); known != memory_.end()) return known->second;
    Choice found;
    for (int r : radices_) {
      if (n % r) continue;
      double const cost = choice(n / r).cost + inner(r);
      if (cost < found.cost) found = {cost, r};
    }
    return memory_[n] = found;
  }

  int bytes_;
  std::vector<int> radices_;  // that divide n, the largest first
  std::map<Index, Choice> memory_;
};

}  // namespace

bool has_passes(Index n) { return is_smooth(n, max_symmetric_prime); }

Index dit_radix(Index n) {
  for (int r = max_radix; r > 1; --r)
    if (n % r == 0) return r;
  return 1;
}

std::vector<int> line_radices(Index n, Index lanes, int scalar_bytes) {
  if (lanes == 1 && (n <= max_radix || (n <= max_symmetric_prime && is_prime(n))))
    return {static_cast<int>(n)};
  Chooser chooser(n, scalar_bytes);
  double least = 1e300;
  int best_first = 0, best_last = 0;
  for (int first : chooser.radices()) {
    if (first < lanes || n / first < lanes) continue;
    for (int last : chooser.radices()) {
      if (n / first % last) continue;
      double const total = (lanes > 1 ? chooser.first_line(first) : chooser.inner(first)) +
                           chooser.inner_cost(n / first / last) + chooser.last(last);
      if (total < least) least = total, best_first = first, best_last = last;
    }
  }
  if (best_first == 0) return {};
  std::vector<int> radices = chooser.passes_between(n / best_first / best_last);
  radices.insert(radices.begin(), best_first);
  radices.push_back(best_last);
  return radices;
}

PassCost pass_cost(int radix, int scalar_bytes) {
  double const odd = symmetric_prime_cost(radix, scalar_bytes);
  if (radix > max_radix) return {300 + odd, odd, odd};
  Costs const& all = costs(scalar_bytes);
  return {all.first_line[radix], all.inner[radix], all.last[radix]};
}

double line_cost(std::vector<int> const& radices, int scalar_bytes) {
  double points = 1, cost = 0;
  for (int r : radices) {
    points *= r;
    cost += r > max_radix ? symmetric_prime_cost(r, scalar_bytes) : costs(scalar_bytes).inner[r];
  }
  return points * cost / 1000;
}

Index convolution_length(Index least, Index lanes, int scalar_bytes) {
  Index best = 16;
  while (best < least) best *= 2;
  double lowest = line_cost(line_radices(best, lanes, scalar_bytes), scalar_bytes);
  Index const end = best;
  int tried = 0;
  for (Index m = next_smooth(std::max<Index>(least, 16), 7); m < end && tried < 60;
       m = next_smooth(m + 1, 7), ++tried) {
    auto const radices = line_radices(m, lanes, scalar_bytes);
    if (radices.empty()) continue;
    double const cost = line_cost(radices, scalar_bytes);
    if (cost < lowest) lowest = cost, best = m;
  }
  return best;
}

}  // namespace skipper::cpu
