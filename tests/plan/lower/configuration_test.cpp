// What is chosen where several cuts of a tile were measured on an H200 (bench/results/h200-choices.md): the fastest, or one within two
// hundredths of a copy of it.
#include "plan/lower/configuration.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/machine.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// The radices of the steps with their radix stages a thread, and the threads: "6x1-4x2-3x2 in 96".
std::string chosen(std::string const& problem) {
  Machine const m = machine("h200");
  Program const program = planner(parse_problem(problem), m).front().program;
  Tile const tile = tile_of(program, 0);
  Configuration const configuration = best_configuration(program, 0, tile, m);
  std::string shape;
  for (AssignedStep const& step : configuration.steps) {
    int const radix =
        step.radix_stage >= 0 ? configuration.fine_digits.radix_stages[step.radix_stage].radix : 1;
    shape += (shape.empty() ? "" : "-") + std::to_string(radix) + "x" +
             std::to_string(count(configuration.fine_digits, step.assignment.registers) / radix);
  }
  return shape + " in " + std::to_string(configuration.work.threads);
}

/// Primes that are convolved: the padded length is chosen too.
TEST(Configuration, LinesThatAreConvolved) {
  std::pair<int, char const*> const measured[] = {
      {107, "16x2-16x2-16x2-16x2 in 32"},
      {853, "12x2-12x2-12x2-12x2-12x2-12x2 in 144"},
      {1487, "24x2-16x3-8x6-8x6-16x3-24x2 in 128"},
      {1187, "20x1-16x1-8x2-8x2-16x1-20x1 in 160"},
      {1747, "16x2-16x2-16x2-16x2-16x2-16x2 in 256"},
      {2039, "16x2-16x2-16x2-16x2-16x2-16x2 in 256"},
      {2777, "24x2-16x3-16x3-16x3-16x3-24x2 in 128"},
      {3371, "32x1-16x2-16x2-16x2-16x2-32x1 in 256"},
      {103, "1x18-1x18 in 96"},
      {1009, "1x16-16x1-9x2-7x3-7x3-9x2-16x1-1x16 in 126"},
      {2357, "1x25-1x25 in 96"},
      {3823, "1x26-26x1-21x2-7x6-7x6-21x2-26x1-1x26 in 147"},
      {4093, "32x1-16x2-16x2-16x2-16x2-32x1 in 256"},
      {10007, "32x1-32x1-20x2-20x2-32x1-32x1 in 640"},
  };
  for (auto const& [n, configuration] : measured) {
    std::string const lines = std::to_string((Index(1) << 25) / n);
    EXPECT_EQ(chosen("c2c f32 forward " + std::to_string(n) + " batch " + lines), configuration) << n;
  }
}

TEST(Configuration, LinesOfMixedRadices) {
  std::pair<int, char const*> const measured[] = {
      {60, "5x1-4x2-3x2 in 96"},      {72, "6x1-4x2-3x2 in 96"},       {90, "6x1-5x2-3x2 in 120"},
      {96, "6x1-4x1-4x1 in 192"},     {360, "9x1-8x1-5x2 in 180"},     {400, "20x1-20x1 in 80"},
      {420, "10x1-7x2-6x2 in 168"},   {448, "8x1-8x1-7x1 in 256"},     {1536, "16x1-12x1-8x2 in 128"},
      {2058, "21x1-14x1-7x2 in 147"}, {2592, "18x1-12x1-12x1 in 216"}, {6561, "27x1-27x1-9x3 in 243"},
  };
  for (auto const& [n, configuration] : measured) {
    std::string const lines = std::to_string((Index(1) << 27) / n);
    EXPECT_EQ(chosen("c2c f32 forward " + std::to_string(n) + " batch " + lines), configuration) << n;
  }
}

}  // namespace
}  // namespace skipper
