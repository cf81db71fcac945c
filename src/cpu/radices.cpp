// See radices.h. A pass costs about the same for every point whatever its place between the first and the last, so
// the best product is found by recursion on what is left between these two.
#include "cpu/radices.h"

#include <algorithm>
#include <map>

#include "cpu/kernels.h"

namespace skipper::cpu {
namespace {

// Picoseconds a point by radix, in L1 on one Neoverse V1 core (2.1 GHz, NEON, gcc 12, November 2026). Only their
// ratios matter. Radices below 4 never come first in a single line of f32.
struct Costs {
  double first_line[most_radix + 1];
  double inner[most_radix + 1];
  double last[most_radix + 1];
};
constexpr Costs costs32 = {
    {0, 0, 9999, 9999, 695, 1023, 769, 882, 700, 1021, 853, 1252, 790, 1240, 1076, 1180, 929},
    {0, 0, 400, 530, 450, 700, 640, 730, 560, 900, 800, 1050, 690, 1090, 950, 1050, 850},
    {0, 0, 283, 438, 358, 557, 494, 630, 476, 696, 615, 811, 563, 859, 772, 883, 679}};
constexpr Costs costs64 = {
    {0, 0, 1011, 1646, 1232, 1517, 1377, 1595, 1251, 1878, 1502, 2301, 1532, 2314, 2037, 2135, 1741},
    {0, 0, 750, 1050, 900, 1400, 1250, 1500, 1170, 1800, 1450, 2150, 1380, 2200, 1900, 2130, 1700},
    {0, 0, 577, 893, 750, 1199, 1096, 1274, 1059, 1431, 1274, 1667, 1169, 1778, 1583, 1813, 1441}};

Costs const& costs(int scalar_bytes) { return scalar_bytes == 4 ? costs32 : costs64; }

struct Choice {
  double cost = 1e300;
  std::vector<int> radices;
};

using Memory = std::map<Index, Choice>;

/// The cheapest inner passes whose product is n.
Choice const& between(Index n, Costs const& cost, Memory& memory) {
  if (auto const known = memory.find(n); known != memory.end()) return known->second;
  Choice found;
  if (n == 1) found.cost = 0;
  for (int r = most_radix; r > 1; --r) {
    if (n % r) continue;
    Choice const& rest = between(n / r, cost, memory);
    if (rest.cost + cost.inner[r] >= found.cost) continue;
    found.cost = rest.cost + cost.inner[r];
    found.radices = {r};
    found.radices.insert(found.radices.end(), rest.radices.begin(), rest.radices.end());
  }
  return memory[n] = found;
}

}  // namespace

std::vector<int> line_radices(Index n, Index lanes, int scalar_bytes) {
  if (lanes == 1 && n <= most_radix) return {static_cast<int>(n)};
  Costs const& cost = costs(scalar_bytes);
  Memory memory;
  Choice found;
  for (int first = most_radix; first >= std::max<Index>(2, lanes); --first) {
    if (n % first || n / first < lanes) continue;
    for (int last = most_radix; last > 1; --last) {
      if (n / first % last) continue;
      Choice const& middle = between(n / first / last, cost, memory);
      double const total = (lanes > 1 ? cost.first_line[first] : cost.inner[first]) + middle.cost + cost.last[last];
      if (total >= found.cost) continue;
      found.cost = total;
      found.radices = middle.radices;
      std::sort(found.radices.rbegin(), found.radices.rend());
      found.radices.insert(found.radices.begin(), first);
      found.radices.push_back(last);
    }
  }
  return found.radices;
}

double line_cost(std::vector<int> const& radices, int scalar_bytes) {
  double points = 1, cost = 0;
  for (int r : radices) points *= r, cost += costs(scalar_bytes).inner[r];
  return points * cost / 1000;
}

}  // namespace skipper::cpu
