// See line_convolutions.h.
#include "plan/lower/line_convolutions.h"

#include <algorithm>

#include "base/numbers.h"

namespace skipper {

namespace {

/// Lines of which a thread holds the same elements in all steps.
Index lines_together(Configuration const& configuration) {
  Index least = kernel::max_registers;
  for (AssignedStep const& step : configuration.steps) {
    Index lines = 1;
    for (int a : step.assignment.registers)
      if (configuration.fine_digits.digits[a].radix_stage < 0)
        lines *= configuration.fine_digits.digits[a].extent;
    least = std::min(least, lines);
  }
  return least;
}

/// Measured over predicted time of convolutions of one line in f32: Bluestein with powers of two and with others, by
/// the elements of a thread, by lines together, by multiples of 7 and 27, and where a block has an SM to itself;
/// Rader by its radices. Fitted: bench/results/h200-choices.md.
constexpr double assigned_bluestein = 0.83, binary_chirps = 0.8, by_eights = 1.02, short_chirps = 0.64,
                 odd_short_chirps = 0.77, long_threads = 0.8, thin_threads = 1.1, shared_lookups = 0.92,
                 by_sevens = 1.06, by_sevens_alone = 1.3, by_three_alone = 0.9, by_long_threes = 1.12,
                 by_four_rader = 1.2, by_three_rader = 0.8, prime_rader = 0.85, nearly_half = 0.41;
constexpr Index short_padded = 256, longest_binary = 8192, many_held = 40, max_fitted = 48, few_held = 16,
                longest_fitted = 4096, many_points = Index(1) << 23;
constexpr int long_prime = 17;
double beyond_chirps(Configuration const& configuration, Transformed const& t) {
  bool const binary = (t.by & (t.by - 1)) == 0;
  if (t.by <= short_padded) return binary ? short_chirps : odd_short_chirps;
  auto const& radix_stages = configuration.fine_digits.radix_stages;
  double factor = assigned_bluestein;
  if (binary && t.by <= longest_binary) {
    bool const half = double(t.radix) > nearly_half * double(t.by);
    factor = binary_chirps * (radix_stages[radix_stages.size() / 2].radix == 8 && half ? by_eights : 1);
  }
  bool const alone = t.by > 2 * longest_binary;
  if (alone && radix_stages.size() <= 6) factor *= by_three_alone;
  if (t.by % 7 == 0) factor *= alone ? by_sevens_alone : by_sevens;
  if (t.by % 27 == 0 && t.by > longest_fitted) factor *= by_long_threes;
  if (configuration.work.elements_per_thread <= few_held) factor *= thin_threads;
  if (configuration.work.elements_per_thread > many_held &&
      configuration.work.elements_per_thread <= max_fitted && !alone)
    factor *= long_threads;
  return factor * (lines_together(configuration) > 1 ? shared_lookups : 1);
}
double beyond_rader(Configuration const& configuration) {
  auto const& radix_stages = configuration.fine_digits.radix_stages;
  std::size_t const radices = radix_stages.size() / 2;
  bool const prime = std::any_of(radix_stages.begin(), radix_stages.end(), [](RadixStage const& s) {
    return s.radix >= long_prime && is_prime(s.radix);
  });
  if (radices > 3) return by_four_rader;
  if (radices == 3 && configuration.work.elements_per_thread >= many_held) return by_three_rader;
  return prime ? prime_rader : 1;
}

}  // namespace

double line_convolution_correction(Program const& program, Configuration const& configuration,
                                   Tile const& tile) {
  bool const line = program.problem.kind == Kind::c2c && program.sweeps.size() == 1 &&
                    configuration.work.cluster_ranks == 1 && configuration.work.element == 8 &&
                    tile.transformed.size() == 1 && !tile.fused_inverse &&
                    points(program.problem) >= many_points;
  if (!line) return 1;
  Transformed const& t = tile.transformed.front();
  if (t.by_bluestein()) return beyond_chirps(configuration, t);
  bool const fitted = t.by_rader() && t.prime() > short_prime && t.prime() < longest_fitted;
  return fitted ? beyond_rader(configuration) : 1;
}

}  // namespace skipper
