// Every length: codelets, radices and convolutions, planned and run under the emulator with every check. CI takes all to
// 400 and a sample of the rest; SKIPPER_LONG=1 takes all lengths to 2048 and the large primes once.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "plan/counts.h"
#include "plan/lengths.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

Problem line(Index n, Index batch, Precision precision = Precision::f32) {
  Problem p;
  p.precision = precision;
  p.axes = {{n}};
  p.batch = {{batch}};
  return dense_layout(p);
}

Program planned(Problem const& problem, char const* name = "h200") {
  Program const program = planner(problem, machine(name)).front().program;
  EXPECT_EQ(parse_program(text(program)), program) << text(program);
  return program;
}

void verify_all(std::vector<Problem> const& problems) {
  std::uint64_t seed = 1;
  for (Problem const& p : problems) verify(planned(p), machine("h200"), seed++);
}

TEST(Lengths, To2048AreTransformed) {
  for (Index n : lengths_to_2048(128, 16)) {
    Precision const precision = n % 2 ? Precision::f32 : Precision::f64;
    verify_all({line(n, 1 + n % 3, precision)});
    if (n <= 64) verify_all({line(n, 3, n % 2 ? Precision::f64 : Precision::f32)});
  }
}

TEST(Lengths, PrimesWithCodeletsAndTheirMultiples) {
  verify_all(
      {line(17, 40), line(31, 9), line(37, 17), line(43, 3), line(61, 8), line(29, 4, Precision::f64)});
  if (!quick()) verify_all({line(61 * 59, 1), line(53 * 64, 1)});
}

TEST(Lengths, PrimesAndTheirMultiplesByConvolutionOnChip) {
  verify_all({line(67, 17), line(127, 5), line(509, 2), line(1009, 2), line(2 * 1009, 1), line(71 * 71, 1),
              line(37, 3, Precision::f64), line(127, 3, Precision::f64), line(1021, 1, Precision::f64)});
  if (!quick()) verify_all({line(4093, 2), line(4099, 1), line(8191, 1), line(4093, 1, Precision::f64)});
}

/// Two lines that a thread holds stand side by side in all exchanges: it moves both at once, and meets nobody in a bank. So
/// it is where there are many lines, of which one tile is run.
TEST(Lengths, LinesOfOneThreadStandInterleaved) {
  Machine const m = machine("h200");
  std::mt19937_64 random(1);
  for (auto const& [n, lines] : {std::pair<Index, Index>{1019, 2}, {107, 4}}) {
    Program const program = planned(line(n, (Index(1) << 25) / n)), few = planned(line(n, lines));
    auto const lowered = lower(program, 0, m);
    for (int i = 0; i < lowered.spec.steps; ++i)
      EXPECT_EQ(lowered.spec.step[i].exchange.needed, lowered.spec.step[i].exchange.paired) << n << ", " << i;
    Array<float> in = random_array<float>(n * lines, random), out = unset_array<float>(n * lines);
    auto const counts = run_tile<float>(lowered, 0, {in.data(), n * lines}, {out.data(), n * lines}, 1);
    EXPECT_LE(compare(few, in, out, random).l2, allowed_error(few.problem)) << n;
    EXPECT_EQ(counts.conflicts, 0) << n;
    SharedCount foreseen;
    for (int i = 1; i < lowered.spec.steps; ++i) {
      if (!lowered.spec.step[i].exchange.needed) continue;
      foreseen += exchange_writes(lowered.spec, i, 8);
      foreseen += exchange_reads(lowered.spec, i, 8);
    }
    EXPECT_EQ(counts.wavefronts_write + counts.wavefronts_read, foreseen.wavefronts) << n;
  }
}

/// The root mean square over several inputs: one alone may be lucky.
template <class T>
double error_of(Index n) {
  Program const program = planned(line(n, 6, sizeof(T) == 4 ? Precision::f32 : Precision::f64));
  std::mt19937_64 random(1);
  double sum = 0;
  int const rounds = n < 300 ? 4 : 1;
  for (int round = 0; round < rounds; ++round) {
    Array<T> in = random_array<T>(array_size(program.problem, false), random);
    Array<T> out = unset_array<T>(Index(in.size()));
    run_program<T>(program, in, out, machine("h200"), emulator::Checks::none());
    sum += std::pow(compare(program, in, out, random).l2, 2);
  }
  return std::sqrt(sum / rounds);
}

TEST(Lengths, PrimesAreNoWorseThanThreeTimesTheNextPowerOfTwo) {
  std::uint64_t const offset = seed_of_run();
  for (Index power = 4; power <= 2048; power *= quick() ? 4 : 2) {
    std::vector<Index> primes;
    for (Index n = power / 2 + 1; n < power; ++n)
      if (is_prime(n)) primes.push_back(n);
    std::size_t const few = std::min<std::size_t>(primes.size(), thorough() ? 500 : quick() ? 1 : 4);
    double const limit32 = 3 * error_of<float>(power), limit64 = 3 * error_of<double>(power);
    for (std::size_t i = 0; i < few; ++i) {
      Index const n = primes[(offset + i * primes.size() / few) % primes.size()];
      EXPECT_LE(error_of<float>(n), limit32) << n << " beside " << power << " in f32";
      EXPECT_LE(error_of<double>(n), limit64) << n << " beside " << power << " in f64";
    }
  }
}

/// The program that transforms a prime by Rader, whatever the planner prefers.
std::optional<Program> by_rader(Problem const& problem) {
  for (Candidate const& c :
       planner(problem, machine("h200"), {.clusters = true, .l2_blocks = true, .max_candidates = 16}))
    for (auto const& [digit, length] : c.program.transformed_by)
      if (length < c.program.radices[digit.dim][digit.part]) {
        EXPECT_EQ(parse_program(text(c.program)), c.program) << text(c.program);
        return c.program;
      }
  return std::nullopt;
}

TEST(Lengths, PrimesByRader) {
  Index const step = thorough() ? 1 : quick() ? 29 : 7;
  Index primes = 0, planned = 0, tried = 0;
  for (Index n = 37; n < 1000; ++n)
    if (has_rader(n) && primes++ % step == 0)
      for (Problem const& p : {line(n, 3 + n % 16), line(n, 2, Precision::f64)}) {
        ++tried;
        if (auto const program = by_rader(p)) verify(*program, machine("h200"), std::uint64_t(++planned + n));
      }
  EXPECT_GT(primes, 80);
  EXPECT_GE(8 * planned, 7 * tried) << "some lengths, as 2 x 11 x 31, threads cannot share out";
}

/// In their places, with radices of every number and length, lines that fill tiles or do not, either direction and placement.
TEST(Lengths, PrimesThatStayInTheirPlaces) {
  int in_place = 0, tried = 0;
  for (std::size_t number = 0;
       auto const& [n, batch] :
       {std::pair(103, 40), {109, 16}, {311, 5}, {593, 9}, {1933, 3}, {2297, 2}, {2357, 1}}) {
    ++number;  // with SKIPPER_QUICK=1 one direction, then the other
    for (bool inverse : {false, true}) {
      if (!takes(number++, 2)) continue;
      ++tried;
      Problem p = line(n, batch);
      if (inverse) {
        p.direction = Direction::inverse;
        p.placement = Placement::in_place;
      }
      if (auto const program = by_rader(p)) {
        in_place += lower(*program, 0, machine("h200")).spec.shared_rader.radices > 0;
        verify(*program, machine("h200"), std::uint64_t(n));
      }
    }
  }
  EXPECT_GE(14 * in_place, 10 * tried);
}

/// One butterfly beside the prime, as the tile is loaded; the points that are left over go through it too.
TEST(Lengths, PrimesByRaderBesideAnotherRadix) {
  std::size_t number = 0;
  for (Index n : {2 * 37, 2 * 61, 3 * 61, 2 * 67, 4 * 67, 2 * 127, 4 * 127, 5 * 71, 6 * 101, 7 * 73, 8 * 127,
                  9 * 97, 12 * 61, 16 * 257, 3 * 1009, 2 * 2017}) {
    if (!takes(number++, 4)) continue;
    for (Problem const& p : {line(n, 1 + (quick() ? 500 : 5000) / n), line(n, 3, Precision::f64)}) {
      auto const program = by_rader(p);
      ASSERT_TRUE(program) << text(p);
      verify(*program, machine("h200"), std::uint64_t(n));
    }
  }
  EXPECT_EQ(rader_cofactor(4 * 127), 4);
  EXPECT_EQ(rader_cofactor(127), 1);
  EXPECT_EQ(rader_cofactor(127 * 127), 0);
  EXPECT_EQ(rader_cofactor(17 * 127), 0) << "more than one butterfly";
  EXPECT_EQ(rader_cofactor(2 * 83), 0) << "82 has no radices";
  EXPECT_EQ(rader_cofactor(64), 0);
}

/// The first in place, back and scaled, the second in columns, the third with room between its lines.
std::vector<Problem> laid_out(Problem in_place, Problem columns, Problem padded) {
  in_place.placement = Placement::in_place;
  in_place.direction = Direction::inverse;
  in_place.scale = 0.5;
  columns.axes[0].in_stride = columns.axes[0].out_stride = columns.batch[0].size;
  columns.batch[0].in_stride = columns.batch[0].out_stride = 1;
  padded.batch[0].in_stride += 6;
  padded.batch[0].out_stride += 17;
  return {in_place, columns, padded};
}

TEST(Lengths, RaderBesideAnotherRadixWithStridesAndPlacements) {
  Problem plane = line(8, 4);
  plane.axes = {{6}, {2 * 61}};
  auto problems = laid_out(line(4 * 61, 33), line(6 * 79, 12), line(2 * 67, 3));
  problems.push_back(dense_layout(plane));
  for (Problem const& p : problems) {
    auto const program = by_rader(p);
    ASSERT_TRUE(program) << text(p);
    verify(*program, machine("h200"), 9);
  }
}

TEST(Lengths, RaderWithManyLinesStridesAndPlacements) {
  auto problems = laid_out(line(127, 33), line(79, 12), line(67, 3));
  problems.insert(problems.end(), {line(61, 70), line(127, 17)});
  if (!quick()) problems.insert(problems.end(), {line(1009, 9), line(4093, 2)});
  for (Problem const& p : problems) {
    auto const program = by_rader(p);
    ASSERT_TRUE(program) << text(p);
    verify(*program, machine("h200"), 7);
  }
}

/// A line that no block holds: its points are sorted by the blocks that want them, and number 0 goes by itself.
TEST(Lengths, RaderAcrossClusters) {
  auto problems = laid_out(line(257, 3), line(1153, 4), line(769, 2));
  problems.push_back(line(577, 2, Precision::f64));
  int const ranks_of[] = {4, 8, 2, 4};
  for (std::size_t i = 0; i < problems.size(); ++i) {
    Problem const& p = problems[i];
    int const cluster_ranks = ranks_of[i];
    auto program = by_rader(p);
    ASSERT_TRUE(program) << text(p);
    Sweep& sweep = program->sweeps[0];
    sweep.tier = Tier::cluster;
    sweep.cluster_ranks = cluster_ranks;
    sweep.with.clear();
    EXPECT_EQ(parse_program(text(*program)), *program) << text(*program);
    EXPECT_TRUE(lower(*program, 0, machine("h200")).spec.rader.across_cluster);
    verify(*program, machine("h200"), 3);
    sweep.cluster_ranks = 5;
    EXPECT_THROW(lower(*program, 0, machine("h200")), Error) << "no radix has a factor of 5";
  }
  Program const fermat = planned(line(65537, 300));
  EXPECT_EQ(fermat.sweeps.size(), 1u) << text(fermat);
  if (thorough()) verify(planned(line(65537, 1)), machine("h200"), 5);
}

TEST(Lengths, SeveralAxesStridesAndPlacements) {
  Problem plane = dense_layout([] {
    Problem p;
    p.axes = {{127}, {67}};
    p.batch = {{2}};
    return p;
  }());
  Problem cube = dense_layout([] {
    Problem p;
    p.axes = {{17}, {8}, {73}};
    p.direction = Direction::inverse;
    p.scale = 0.25;
    return p;
  }());
  Problem in_place = line(101, 7);
  in_place.placement = Placement::in_place;
  in_place.direction = Direction::inverse;
  Problem columns = line(79, 12);  // the batch is the fastest
  columns.axes[0].in_stride = columns.axes[0].out_stride = 12;
  columns.batch[0].in_stride = columns.batch[0].out_stride = 1;
  Problem padded = line(67, 3);
  padded.batch[0].in_stride = 70;
  padded.batch[0].out_stride = 81;
  verify_all({plane, cube, in_place, columns, padded});
}

/// Configuration over sweeps: one part convolved on chip, or the whole axis over three sweeps.
TEST(Lengths, PastATile) {
  Machine const a100 = machine("a100");
  Program const cut = planned(line(1024 * 127, 1), "a100");
  EXPECT_GE(cut.sweeps.size(), 2u);
  EXPECT_EQ(cut.transformed_by.size(), 1u);
  if (!quick()) verify(cut, a100, 1);
  Program const spread = planned(line(10303, 2), "a100");
  EXPECT_EQ(spread.convolved.size(), 1u);
  EXPECT_EQ(spread.sweeps.size(), 3u);
  verify(spread, a100, 2);
  if (quick()) return;
  Problem inverse = line(5197, 3, Precision::f64);
  inverse.direction = Direction::inverse;
  inverse.placement = Placement::in_place;
  verify(planned(inverse, "a100"), a100, 3);
  Problem plane = dense_layout([] {
    Problem p;
    p.axes = {{10337}, {3}};
    return p;
  }());
  verify(planned(plane, "a100"), a100, 4);
}

TEST(Lengths, LargePrimes) {
  if (!thorough()) GTEST_SKIP() << "SKIPPER_LONG is not set: takes a minute";
  verify_all(
      {line(16411, 1), line(65537, 1), line(524287, 1), line(1000003, 1), line(65537, 1, Precision::f64)});
}

}  // namespace
}  // namespace skipper::testing
