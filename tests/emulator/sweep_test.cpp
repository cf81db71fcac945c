// Specs written by hand, run by the kernel text: a line of 64 points as 8 x 8, within a block and over a
// cluster of two, with the spec known when running (Remembered) and when compiling (Fixed, Named).
//
//   n = n0 + 8 n1,  k = k0 + 8 k1:   X[k] = sum_n0 w8^(n0 k1) w64^(n0 k0) sum_n1 w8^(n1 k0) x[n]
#include "emulator/emulator.h"

#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace skipper::emulator {
namespace {

using kernel::Complex;
using kernel::SweepSpec;

constexpr int points = 64, lines = 4;

/// Digits of the tile: n0 that becomes k1, n1 that becomes k0, the line. Shared memory is padded so that
/// neither side of the exchange has conflicts: 8 elements of a line take all residues of 16 together with the
/// next line's.
constexpr SweepSpec in_a_block(int row = 9, int line = 72) {
  SweepSpec s;
  s.digits = 3;
  s.extent[0] = 8, s.extent[1] = 8, s.extent[2] = lines;
  s.grids = 1;
  s.grid_extent[0] = 1 << 20;
  s.read.tile[0] = 1, s.read.tile[1] = 8, s.read.tile[2] = points, s.read.grid[0] = points * lines;
  s.write.tile[0] = 8, s.write.tile[1] = 1, s.write.tile[2] = points, s.write.grid[0] = points * lines;
  s.threads = 32;
  s.shared = 7 + 7 * row + 3 * line + 1;
  s.steps = 2;
  auto& first = s.step[0];
  first.assignment = {2, 1, 0, {0, 2, 1}};
  first.radix = 8;
  first.group_size = 1;
  first.group[0] = 1;
  first.twiddle.kind = kernel::Twiddling::full_table;
  first.twiddle.low.tile[0] = 1;
  first.twiddle.rows = 8;
  auto& second = s.step[1];
  second.assignment = {2, 1, 0, {1, 2, 0}};
  second.exchange.needed = true;
  second.exchange.weight[0] = 1, second.exchange.weight[1] = row, second.exchange.weight[2] = line;
  second.radix = 8;
  second.group_size = 1;
  second.group[0] = 0;
  return s;
}

/// Digits: n0 as 4 x 2, n1 as 4 x 2, the line. The high part of n0 counts the blocks in the first step, the
/// high part of k0 in the second.
constexpr SweepSpec in_a_cluster() {
  SweepSpec s;
  s.digits = 5;
  s.extent[0] = 4, s.extent[1] = 2, s.extent[2] = 4, s.extent[3] = 2, s.extent[4] = lines;
  s.grids = 1;
  s.grid_extent[0] = 1 << 20;
  Wide const read[] = {1, 4, 8, 32, points}, write[] = {8, 32, 1, 4, points};
  for (int d = 0; d < 5; ++d) s.read.tile[d] = read[d], s.write.tile[d] = write[d];
  s.read.grid[0] = s.write.grid[0] = points * lines;
  s.threads = 4 * lines;
  s.cluster_ranks = 2;
  s.shared = 4 * 8 * lines;
  s.steps = 2;
  auto& first = s.step[0];
  first.assignment = {2, 2, 1, {0, 4, 2, 3, 1}};
  first.radix = 8;
  first.group_size = 2;
  first.group[0] = 2, first.group[1] = 3;
  first.twiddle.kind = kernel::Twiddling::full_table;
  first.twiddle.low.tile[0] = 1, first.twiddle.low.tile[1] = 4;
  first.twiddle.rows = 8;
  auto& second = s.step[1];
  second.assignment = {2, 2, 1, {2, 4, 0, 1, 3}};
  second.exchange.needed = second.exchange.remote = second.exchange.fence = true;
  second.exchange.weight[0] = 1, second.exchange.weight[1] = 4, second.exchange.weight[2] = 8;
  second.exchange.weight[4] = 32;
  second.radix = 8;
  second.group_size = 2;
  second.group[0] = 0, second.group[1] = 1;
  return s;
}

std::complex<double> root(Wide k, Wide n) {
  return std::polar(1.0, -2 * std::numbers::pi * double(k % n) / double(n));
}

/// Rows k = 1..7 of w64^(k low), low = 0..7.
template <class T>
std::vector<Complex<T>> twiddles() {
  std::vector<Complex<T>> table;
  for (int k = 1; k < 8; ++k)
    for (int low = 0; low < 8; ++low) {
      auto const w = root(k * low, points);
      table.push_back({T(w.real()), T(w.imag())});
    }
  return table;
}

template <class T>
struct Case {
  Wide tiles;
  std::vector<Complex<T>> in, out, roots = twiddles<T>();

  explicit Case(Wide n) : tiles(n), in(std::size_t(n * points * lines)), out(in.size()) {
    unsigned state = 1;
    auto const next = [&] { return T((state = state * 1664525u + 1013904223u) >> 8) / T(1 << 23) - T(1); };
    for (auto& x : in) x = {next(), next()};
  }
  Launch<T> launch() {
    auto const n = Wide(in.size());
    return {in.data(), n, out.data(), n, roots.data(), Wide(roots.size()), T(1)};
  }
  /// Relative L2 distance of the output from the definition of the transform, in double.
  double error() const {
    double wrong = 0, right = 0;
    for (std::size_t line = 0; line < out.size(); line += points)
      for (int k = 0; k < points; ++k) {
        std::complex<double> sum = 0;
        for (int n = 0; n < points; ++n) {
          auto const& x = in[line + std::size_t(n)];
          sum += std::complex<double>(x.re, x.im) * root(k * n, points);
        }
        auto const& y = out[line + std::size_t(k)];
        wrong += std::norm(std::complex<double>(y.re, y.im) - sum);
        right += std::norm(sum);
      }
    return std::sqrt(wrong / right);
  }
};

TEST(HandBuiltSweep, RememberedInABlock) {
  Case<float> c(3);
  auto const spec = in_a_block();
  auto const counts = emulate<float>(spec, c.tiles, c.launch());
  EXPECT_LT(c.error(), 2e-7);
  EXPECT_EQ(counts.conflicts, 0);
  EXPECT_EQ(counts.barriers, 3);
  EXPECT_EQ(counts.shared_reads, 3 * points * lines);
  EXPECT_EQ(counts.load_efficiency(), 1.0);
  EXPECT_EQ(counts.store_efficiency(), 1.0);
  EXPECT_EQ(counts.load_sectors, 3 * points * lines * 8 / 32);
  EXPECT_EQ(counts.root_loads, 3 * 32 * 7);
}

TEST(HandBuiltSweep, Double) {
  Case<double> c(2);
  auto const spec = in_a_block();
  emulate<double>(spec, c.tiles, c.launch());
  EXPECT_LT(c.error(), 1e-15);
}

TEST(HandBuiltSweep, WithoutPaddingConflictsAreThoseOfTheHand) {
  Case<float> c(1);
  auto const spec = in_a_block(8, 64);
  auto const counts = emulate<float>(spec, c.tiles, c.launch());
  EXPECT_LT(c.error(), 2e-7);
  // A phase has 8 consecutive threads of 2 lines. Written: the lines collide (2 wavefronts). Read: a step of
  // 8 meets every second thread, and the lines collide too (8 wavefronts).
  EXPECT_EQ(counts.wavefronts_write, 8 * 2 * 2);
  EXPECT_EQ(counts.wavefronts_read, 8 * 2 * 8);
  EXPECT_EQ(counts.conflicts, 8 * 2 * (1 + 7));
}

constexpr SweepSpec named_spec = in_a_block();

TEST(HandBuiltSweep, FixedAndNamedAreTheSameAsRemembered) {
  Case<float> loaded(3), fixed(3), named(3);
  auto const spec = in_a_block();
  auto const counts = emulate<float>(spec, 3, loaded.launch());
  auto const same = emulate_with<float>(kernel::Fixed<in_a_block()>{}, 3, fixed.launch());
  EXPECT_LT(fixed.error(), 2e-7);
  EXPECT_EQ(counts, same);
  EXPECT_EQ(counts, emulate_with<float>(kernel::Named<named_spec>{}, 3, named.launch()));
  EXPECT_LT(named.error(), 2e-7);
}

TEST(HandBuiltSweep, InACluster) {
  Case<float> loaded(3), fixed(3);
  auto const spec = in_a_cluster();
  auto const counts = emulate<float>(spec, 3, loaded.launch());
  EXPECT_LT(loaded.error(), 2e-7);
  EXPECT_EQ(counts.remote_writes, 3 * points * lines);
  EXPECT_EQ(counts.cluster_barriers, 3 * 2);
  EXPECT_EQ(counts.barriers, 0);
  auto const same = emulate_with<float>(kernel::Fixed<in_a_cluster()>{}, 3, fixed.launch());
  EXPECT_LT(fixed.error(), 2e-7);
  EXPECT_EQ(counts, same);
}

TEST(HandBuiltSweep, WithoutItsFenceAClusterFails) {
  Case<float> c(1);
  auto spec = in_a_cluster();
  spec.step[1].exchange.fence = false;
  EXPECT_THROW(emulate<float>(spec, 1, c.launch()), EmulationError);
}

TEST(HandBuiltSweep, TwoWorkersAreAsOne) {
  for (auto const& spec : {in_a_block(), in_a_cluster()})
    for (Checks const checks : {Checks::all(), Checks::none()}) {
      Case<float> one(7), two(7);
      auto const counts = emulate<float>(spec, 7, one.launch(), checks, 1);
      EXPECT_EQ(emulate<float>(spec, 7, two.launch(), checks, 2), counts);
      EXPECT_LT(two.error(), 2e-7);
    }
}

TEST(HandBuiltSweep, SharedRader) {
  Case<float> c(3);
  auto launch = c.launch();
  c.out = c.in;
  launch.in = c.out.data();
  auto const spec = in_a_block();
  emulate<float>(spec, 3, launch, Checks::all(), 2);
  EXPECT_LT(c.error(), 2e-7);
}

TEST(HandBuiltSweep, GuardsKeepARaggedTileInside) {
  Case<float> c(2);
  auto spec = in_a_block();
  spec.guards = 1;
  spec.guard[0].at.tile[2] = 1;
  spec.guard[0].at.grid[0] = lines;
  spec.guard[0].bound = 2 * lines - 1;  // the last line of the second tile does not exist
  c.in.resize(c.in.size() - points);
  c.out.resize(c.in.size());
  auto const counts = emulate<float>(spec, 2, c.launch());
  EXPECT_LT(c.error(), 2e-7);
  EXPECT_EQ(counts.stores, 7 * points);
}

/// The twiddles as products w64^e = w8^(e / 8) w64^(e % 8), after the seven rows of the matrix.
constexpr SweepSpec by_products() {
  auto s = in_a_block();
  auto& twiddle = s.step[0].twiddle;
  twiddle.kind = kernel::Twiddling::two_level;
  twiddle.k[1] = 1;
  twiddle.shift = 3;
  twiddle.table = 56;
  twiddle.table_low = 64;
  return s;
}

TEST(HandBuiltSweep, TwiddlesByProducts) {
  Case<float> loaded(2), fixed(2);
  for (auto* c : {&loaded, &fixed})
    for (int n : {8, 64})
      for (int e = 0; e < 8; ++e) c->roots.push_back({float(root(e, n).real()), float(root(e, n).imag())});
  auto const spec = by_products();
  auto const counts = emulate<float>(spec, 2, loaded.launch());
  EXPECT_LT(loaded.error(), 2e-7);
  EXPECT_EQ(counts, emulate_with<float>(kernel::Fixed<by_products()>{}, 2, fixed.launch()));
  EXPECT_LT(fixed.error(), 2e-7);
}

/// A thread holds a point of every line in the first step: four butterflies each, and three of four threads
/// idle. The second step is that of in_a_block. Inverse, scaled, the last line missing.
constexpr SweepSpec with_everything() {
  auto s = in_a_block();
  s.step[0].assignment = {1, 2, 0, {0, 2, 1}};
  s.swap_read = s.swap_write = s.scaled = true;
  s.guards = 1;
  s.guard[0].at.tile[2] = 1;
  s.guard[0].at.grid[0] = lines;
  s.guard[0].bound = 2 * lines - 1;
  return s;
}

TEST(HandBuiltSweep, InverseUndoesForward) {
  auto const forward = in_a_block(), inverse = with_everything();
  Case<float> c(2);
  auto const n = Wide(c.in.size());
  emulate<float>(forward, 2, c.launch());
  for (bool fixed : {false, true}) {
    std::vector<Complex<float>> back(c.in.size());
    Launch<float> const launch{c.out.data(),   n - points, back.data(),  n - points,
                               c.roots.data(), 56,         1.0f / points};
    auto const counts = fixed ? emulate_with<float>(kernel::Fixed<with_everything()>{}, 2, launch)
                              : emulate<float>(inverse, 2, launch);
    EXPECT_EQ(counts.loads, n - points);
    EXPECT_EQ(counts.shared_writes, n);
    for (std::size_t i = 0; i < back.size(); ++i) {
      auto const x = i < back.size() - points ? c.in[i] : Complex<float>{};
      ASSERT_NEAR(back[i].re, x.re, 1e-6) << i;
      ASSERT_NEAR(back[i].im, x.im, 1e-6) << i;
    }
  }
}

/// Only the first 40 points of a line are read and only 50 written; factors at both ends, by n and by k, and a
/// middle between the steps by k0, which by then is a factor of k % 8.
constexpr SweepSpec with_callbacks() {
  auto s = in_a_block();
  s.guards = 2;
  s.guard[0].bound = 40;
  s.guard[0].writes = false;
  s.guard[1].bound = 50;
  s.guard[1].reads = false;
  s.load_factor.needed = s.store_factor.needed = s.step[0].middle.needed = true;
  s.load_factor.table = 56;
  s.store_factor.table = s.load_factor.table + 40;
  s.step[0].middle.table = s.store_factor.table + 50;
  for (int d = 0; d < 2; ++d) {
    s.guard[0].at.tile[d] = s.load_factor.at.tile[d] = s.read.tile[d];
    s.guard[1].at.tile[d] = s.store_factor.at.tile[d] = s.write.tile[d];
  }
  s.step[0].middle.at.tile[1] = 1;
  return s;
}

TEST(HandBuiltSweep, EndsAndMiddleMultiplyWhatExists) {
  for (bool fixed : {false, true}) {
    Case<float> c(2);
    for (int i = 0; i < 40 + 50 + 8; ++i)
      c.roots.push_back({1 + 0.25f * float(i % 7), 0.5f * float(i % 5) - 1});
    auto const spec = with_callbacks();
    auto const counts = fixed ? emulate_with<float>(kernel::Fixed<with_callbacks()>{}, 2, c.launch())
                              : emulate<float>(spec, 2, c.launch());
    EXPECT_EQ(counts.loads, 2 * lines * 40);
    EXPECT_EQ(counts.stores, 2 * lines * 50);
    auto const factor = [&](int table, int i) {
      auto const w = c.roots[std::size_t(table + i)];
      return std::complex<double>(w.re, w.im);
    };
    for (std::size_t line = 0; line < c.in.size(); line += points)
      for (int k = 0; k < points; ++k) {
        std::complex<double> sum = 0;
        for (int n = 0; n < 40; ++n) {
          auto const& x = c.in[line + std::size_t(n)];
          sum += std::complex<double>(x.re, x.im) * factor(56, n) * root(k * n, points);
        }
        auto const y = c.out[line + std::size_t(k)];
        if (k < 50) sum *= factor(146, k % 8) * factor(96, k);
        auto const expected = k < 50 ? sum : 0.0;
        ASSERT_NEAR(std::abs(std::complex<double>(y.re, y.im) - expected), 0, 1e-4) << k;
      }
  }
}

TEST(HandBuiltSweep, PrefetchesTilesThatExist) {
  constexpr Wide tile_lines = points * lines / 16;  // of 128 bytes
  Case<float> c(3);
  auto spec = in_a_block();
  spec.prefetch = {2, 16, false};
  EXPECT_EQ(emulate<float>(spec, 3, c.launch()).prefetches, tile_lines);
  spec.prefetch.distance = 3;
  EXPECT_EQ(emulate<float>(spec, 3, c.launch()).prefetches, 0);
}

/// What the error says that running the spec brings, or "" when none.
template <class T>
std::string mistake(SweepSpec const& spec, Checks checks) {
  Case<T> c(1);
  try {
    emulate<T>(spec, 1, c.launch(), checks);
  } catch (EmulationError const& error) {
    return error.what();
  }
  return "";
}

/// A step that takes from the one before, with no exchange between, more registers than that has.
TEST(HandBuiltSweep, RegistersThatNobodyHasSetAreCaught) {
  auto spec = in_a_block();
  spec.step[1].exchange.needed = false;
  spec.step[1].assignment = {1, 2, 0, {1, 2, 0}};
  for (Checks checks : {Checks::none(), Checks::all()})
    for (auto const& what : {mistake<float>(spec, checks), mistake<double>(spec, checks)}) {
      EXPECT_NE(what.find("thread 0 of rank 0, tile 0: stores at offset "), what.npos) << what;
      EXPECT_NE(what.find("of elements, which nobody has set"), what.npos) << what;
    }
}

/// The last line is not loaded, and has no zeros in its place as a guard would give it.
TEST(HandBuiltSweep, SharedMemoryThatNobodyHasWrittenIsCaught) {
  auto spec = in_a_block();
  spec.extent[2] = lines - 1;
  spec.digits = 4;
  spec.extent[3] = lines;
  spec.step[0].assignment = {2, 1, 0, {0, 2, 1}};
  spec.step[1].assignment = {2, 1, 0, {1, 3, 0}};
  spec.step[1].exchange.weight[3] = spec.step[1].exchange.weight[2];
  spec.write.tile[2] = 0, spec.write.tile[3] = points;
  EXPECT_NE(mistake<float>(spec, Checks::none()).find("memory that nobody has written"), std::string::npos);
  EXPECT_NE(mistake<float>(spec, Checks::all()).find("read of shared memory nobody wrote"),
            std::string::npos);
}

/// A thread that has all lines holds as many extra elements: step[steps] says so, whatever the steps hold.
TEST(HandBuiltSweep, ArraysHaveRoomForTheAssignmentOfLines) {
  auto spec = in_a_block();
  EXPECT_EQ(kernel::max_elements_per_thread(spec), 8);
  spec.extent[3] = 12, spec.digits = 4;
  spec.step[2].assignment = {0, 1, 0, {3}};
  EXPECT_EQ(kernel::max_elements_per_thread(spec), 12);
}

TEST(HandBuiltSweep, ASpecThatReadsTooFarIsCaught) {
  Case<float> c(1);
  auto spec = in_a_block();
  spec.read.tile[1] = 9;
  EXPECT_THROW(emulate<float>(spec, 1, c.launch()), EmulationError);
}

}  // namespace
}  // namespace skipper::emulator
