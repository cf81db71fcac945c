// No estimate stands out: a program never costs much more than its axes one at a time, nor than its neighbours'.
#include "plan/mixing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/numbers.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

Problem dense(std::vector<Index> const& sizes, Precision precision) {
  Problem p;
  p.precision = precision;
  for (Index n : sizes) p.axes.push_back({n, 0, 0, AxisKind::fourier});
  return dense_layout(p);
}

double estimate(Problem const& problem, Machine const& m) { return planner(problem, m).front().cost; }

/// The sum of the axes one at a time, the others being batches.
double axis_by_axis(Problem const& problem, Machine const& m) {
  double sum = 0;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    Problem one = problem;
    one.axes = {problem.axes[a]};
    for (std::size_t b = 0; b < problem.axes.size(); ++b)
      if (b != a)
        one.batch.push_back({problem.axes[b].size, problem.axes[b].in_stride, problem.axes[b].out_stride});
    sum += estimate(one, m);
  }
  return sum;
}

std::vector<Index> primes_below(Index end) {
  std::vector<Index> primes;
  for (Index n = 2; n < end; ++n)
    if (is_prime(n)) primes.push_back(n);
  return primes;
}

/// Each prime replaced by the one before it or after it.
double median_of_neighbours(std::vector<Index> const& sizes, Machine const& m) {
  auto const primes = primes_below(132);
  std::vector<double> costs;
  for (std::size_t a = 0; a < sizes.size(); ++a)
    for (int step : {-1, 1}) {
      auto const at = std::find(primes.begin(), primes.end(), sizes[a]) - primes.begin() + step;
      if (at < 0) continue;
      auto other = sizes;
      other[a] = primes[std::size_t(at)];
      costs.push_back(estimate(dense(other, Precision::f32), m));
    }
  std::sort(costs.begin(), costs.end());
  return costs[costs.size() / 2];
}

TEST(Mixing, LeavesNoTripleOfPrimesFarFromItsNeighbours) {
  Machine const m = machine("h200");
  auto const primes = primes_below(128);
  std::vector<std::vector<Index>> triples = {{61, 97, 83}, {83, 83, 83}, {97, 89, 83}, {97, 97, 97}};
  std::mt19937 random(7);
  while (triples.size() < (quick() ? 6 : thorough() ? 20 : 10)) {
    std::vector<Index> t;
    for (int a = 0; a < 3; ++a) t.push_back(primes[random() % primes.size()]);
    triples.push_back(t);
  }
  for (std::size_t number = 0; auto const& t : triples) {
    if (!takes(number++, 3)) continue;
    Problem const p = dense(t, Precision::f32);
    EXPECT_LE(estimate(p, m), 2 * median_of_neighbours(t, m)) << text(p);
  }
}

/// Planes may take up to twice as much: only a sweep that is a program by itself is lowered with Rader's lines in place, which 83
/// points need for their radix of 41.
TEST(Mixing, LeavesNothingFarFromItsAxesOneByOne) {
  auto const primes = primes_below(128);
  std::mt19937 random(5);
  for (int i = 0; i < (quick() ? 5 : thorough() ? 60 : 30); ++i) {
    std::vector<Index> sizes;
    for (unsigned cluster_rank = 2 + random() % 3; cluster_rank > 0; --cluster_rank)
      sizes.push_back(primes[random() % primes.size()]);
    Problem const p = dense(sizes, random() % 2 ? Precision::f32 : Precision::f64);
    Machine const m = machine(std::vector{"h200", "a100", "rtx4090", "h100"}[random() % 4]);
    EXPECT_LE(estimate(p, m), (sizes.size() == 2 ? 2.0 : 1.5) * axis_by_axis(p, m))
        << m.name << ": " << text(p);
  }
}

/// A tile of whole short axes of primes gives threads nothing to share out.
TEST(Mixing, TakesPartsOfShortAxes) {
  Machine const m = machine("a100");
  Problem const p = dense({29, 23, 23, 19}, Precision::f64);
  EXPECT_LE(estimate(p, m), 1.1 * axis_by_axis(p, m));
}

TEST(Mixing, GivesEachAxisItsOwnWay) {
  auto const found = planner(dense({61, 97, 83}, Precision::f32), machine("h200"));
  Program const& program = found.front().program;
  int by_rader = 0, others = 0;
  for (auto const& [digit, by] : program.transformed_by)
    (by < extent_of(program, digit) ? by_rader : others) += 1;
  EXPECT_GT(by_rader, 0);
  EXPECT_GT(others, 0) << text(program);
  EXPECT_NO_THROW(check(program));
  EXPECT_EQ(parse_program(text(program)), program);
}

}  // namespace
}  // namespace skipper::testing
