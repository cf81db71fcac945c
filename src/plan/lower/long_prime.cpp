// See long_prime.h.
#include "plan/lower/long_prime.h"

namespace skipper {

double long_prime_correction(Program const& program, Configuration const& configuration, Tile const& tile) {
  // Measured over predicted time of lines of Rader across a cluster with fewer than 32 elements a thread.
  // Fitted: bench/results/h200-choices.md.
  constexpr double across_cluster_few = 1.2;
  constexpr Index across_cluster_many = 32;
  if (configuration.work.element != 8) return 1;
  if (configuration.fine_digits.across_cluster)
    return configuration.work.elements_per_thread < across_cluster_many ? across_cluster_few : 1;
  // The same of middle sweeps of an axis that is convolved over three, by how many radices they have.
  // Fitted: bench/results/h200-choices.md.
  constexpr double by_three = 0.84, by_four = 1.17;
  constexpr Index shorter = 4096, least_points = Index(1) << 23;
  bool const middle = program.problem.kind == Kind::c2c && !program.convolved.empty() &&
                      tile.transformed.size() == 1 &&
                      tile.transformed.front().phase == ConvolutionPhase::middle &&
                      tile.transformed.front().radix > shorter && points(program.problem) >= least_points;
  std::size_t const radices = configuration.fine_digits.radix_stages.size() / 2;
  if (!middle || radices < 3) return 1;
  return radices == 3 ? by_three : by_four;
}

}  // namespace skipper
