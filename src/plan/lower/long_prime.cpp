// See long_prime.h.
#include "plan/lower/long_prime.h"

namespace skipper {

double beyond_long_prime(Program const& program, Configuration const& configuration, Tile const& tile) {
  // Lines of Rader across a cluster with 16 elements a thread, where the model foresees as much as with 32. Fitted to
  // an H200.
  constexpr double across_cluster_few = 1.2;
  constexpr Index across_cluster_many = 32;
  if (configuration.work.element != 8) return 1;
  if (configuration.fine_digits.across_cluster)
    return configuration.work.held < across_cluster_many ? across_cluster_few : 1;
  // Middle sweeps of an axis that is convolved over three: 1000003 points with 6272 as 14 x 8 x 8 x 7 4.34 x copy where 3.72
  // were foreseen, as 28 x 16 x 14 3.71 and 4.06 where 4.65 were, 5120 as 20 x 16 x 16 3.51 where 3.99 were (the same day).
  constexpr double by_three = 0.84, by_four = 1.17;
  constexpr Index shorter = 4096, least_points = Index(1) << 23;
  bool const middle = program.problem.kind == Kind::c2c && !program.convolved.empty() &&
                      tile.transformed.size() == 1 && tile.transformed.front().pass == Pass::middle &&
                      tile.transformed.front().radix > shorter && points(program.problem) >= least_points;
  std::size_t const radices = configuration.fine_digits.stages.size() / 2;
  if (!middle || radices < 3) return 1;
  return radices == 3 ? by_three : by_four;
}

}  // namespace skipper
