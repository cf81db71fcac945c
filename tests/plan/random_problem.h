// Random problems that the planner must take: smooth sizes, one to five axes in any order in memory, padded rows,
// batches outside, inside and between the axes, repeated inputs, any direction, placement and order. A seed gives
// the same problem on every machine, since only the generator itself is used, no standard distribution.
#pragma once

#include <skipper/problem.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "base/index.h"

namespace skipper::testing {

class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : generator_(seed) {}

  /// At most `limit` points, not counting padding.
  Problem operator()(Index limit) {
    Problem problem;
    problem.precision = chance(3) ? Precision::f64 : Precision::f32;
    problem.direction = chance(2) ? Direction::inverse : Direction::forward;
    problem.placement = chance(3) ? Placement::in_place : Placement::out_of_place;
    problem.order = chance(4) ? Order::reversed : chance(6) ? Order::from_reversed : Order::natural;
    if (chance(4)) problem.scale = 0.5;
    Index left = limit;
    int const cluster_rank = 1 + int(below(5));
    for (int a = 0; a < cluster_rank; ++a) problem.axes.push_back({smooth(left), 0, 0, AxisKind::fourier});
    int const batches = int(below(3));
    for (int b = 0; b < batches; ++b) problem.batch.push_back({any(left), 0, 0});
    problem = dense_layout(problem);
    if (chance(2)) stride(problem);
    return problem;
  }

  Index below(Index n) { return Index(generator_() % std::uint64_t(n)); }
  bool chance(Index one_in) { return below(one_in) == 0; }

 private:
  /// A 13-smooth size, often a power of two, that leaves at least one point to the rest.
  Index smooth(Index& left) {
    static constexpr Index primes[] = {2, 2, 2, 2, 2, 3, 5, 7, 11, 13};
    Index n = 1;
    Index const factors = below(11);
    bool const twos = chance(2);
    for (Index f = 0; f < factors; ++f) {
      Index const p = twos ? 2 : primes[below(10)];
      if (left / p < 1) break;
      n *= p;
      left /= p;
    }
    return n;
  }

  Index any(Index& left) {
    Index const n = 1 + below(std::min<Index>(left, chance(2) ? 7 : 300));
    left /= n;
    return n;
  }

  /// Gives the dimensions another order in memory, some with padding, on each side its own (in place: the same).
  void stride(Problem& problem) {
    std::vector<std::pair<Index*, Index>> in, out;
    for (Axis& a : problem.axes) in.push_back({&a.in_stride, a.size}), out.push_back({&a.out_stride, a.size});
    for (Dim& b : problem.batch) in.push_back({&b.in_stride, b.size}), out.push_back({&b.out_stride, b.size});
    lay(in);
    lay(out);
    bool const in_place = problem.placement == Placement::in_place;
    if (!in_place && !problem.batch.empty() && chance(8)) problem.batch[0].in_stride = 0;
    if (!in_place) return;
    for (Axis& a : problem.axes) a.out_stride = a.in_stride;
    for (Dim& b : problem.batch) b.out_stride = b.in_stride;
  }

  void lay(std::vector<std::pair<Index*, Index>>& dims) {
    if (chance(2))
      for (std::size_t i = dims.size(); i > 1; --i)
        std::swap(dims[i - 1], dims[std::size_t(below(Index(i)))]);
    Index stride = chance(6) ? 2 : 1;
    for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
      *d->first = stride;
      stride *= d->second + (chance(3) ? below(9) : 0);
    }
  }

  std::mt19937_64 generator_;
};

}  // namespace skipper::testing
