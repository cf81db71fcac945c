// See radices.h. A pass costs about the same for every point whatever its place, so the best product is found by
// recursion on what is left; only the first radix of a single line is bound by the lanes.
#include "cpu/radices.h"

#include <algorithm>
#include <map>

#include "cpu/kernels.h"

namespace skipper::cpu {
namespace {

// Cycles a point of a pass with 4 lanes (f32; twice that in f64).
constexpr double pass_cost[most_radix + 1] = {0,    0.5,  1.40, 1.65, 1.45, 1.95, 1.90, 2.30, 1.70,
                                              2.40, 2.30, 3.30, 2.25, 3.70, 2.75, 2.75, 2.20};

struct Choice {
  double cost = 1e300;
  std::vector<int> radices;
};

using Memory = std::map<Index, Choice>;

Choice const& best(Index n, Memory& memory) {
  if (auto const known = memory.find(n); known != memory.end()) return known->second;
  Choice found;
  if (n == 1) found.cost = 0;
  for (int r = most_radix; r > 1; --r) {
    if (n % r) continue;
    Choice const& rest = best(n / r, memory);
    if (rest.cost + pass_cost[r] >= found.cost) continue;
    found.cost = rest.cost + pass_cost[r];
    found.radices = {r};
    found.radices.insert(found.radices.end(), rest.radices.begin(), rest.radices.end());
  }
  return memory[n] = found;
}

}  // namespace

std::vector<int> line_radices(Index n, Index lanes, int) {
  if (n == 1) return lanes == 1 ? std::vector<int>{1} : std::vector<int>{};
  Memory memory;
  if (lanes == 1) {
    std::vector<int> radices = best(n, memory).radices;
    std::sort(radices.rbegin(), radices.rend());
    return radices;
  }
  Choice found;
  for (int r = most_radix; r >= lanes; --r) {
    if (n % r || n / r < lanes) continue;
    Choice const& rest = best(n / r, memory);
    double const blocks = static_cast<double>((r + lanes - 1) / lanes * lanes) / r;  // transposed, some twice
    double const cost = rest.cost + pass_cost[r] + 0.6 * blocks;
    if (cost >= found.cost) continue;
    found.cost = cost;
    found.radices = rest.radices;
    std::sort(found.radices.rbegin(), found.radices.rend());
    found.radices.insert(found.radices.begin(), r);
  }
  return found.radices;
}

double line_cost(std::vector<int> const& radices, int scalar_bytes) {
  double points = 1, cost = 0;
  for (int r : radices) points *= r, cost += pass_cost[r];
  return points * cost * scalar_bytes / 4;
}

}  // namespace skipper::cpu
