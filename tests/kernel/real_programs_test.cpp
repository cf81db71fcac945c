// Programs of r2c, c2r, DCT and DST problems, planned and run under the emulator with every check, held to the
// definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/machine.h"
#include "plan/counts.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/random_mixed.h"
#include "support/verify_real.h"

namespace skipper::testing {
namespace {

Program verify_planned(Problem const& problem, std::uint64_t seed, Machine const& m = machine("h200")) {
  SCOPED_TRACE(text(problem));
  Program program;
  try {
    program = planner(problem, m).front().program;
    check(program);
    EXPECT_EQ(parse_program(text(program)), program) << text(program);
    verify_real(program, m, seed);
  } catch (Error const& e) {
    ADD_FAILURE() << e.what();
  }
  return program;
}

TEST(RealPrograms, OfEveryLength) {
  for (Index n : lengths_to_2048(128, 32)) {
    Precision const precision = n % 3 ? Precision::f32 : Precision::f64;
    verify_planned(r2c({n}, 1 + n % 5, precision), std::uint64_t(n));
    verify_planned(c2r({n}, 1 + n % 4, precision), std::uint64_t(n));
  }
}

TEST(RealPrograms, PrimesByRader) {
  for (Problem const& p : {r2c({127}, 20), c2r({127}, 20), in_place(r2c({251}, 5)), in_place(c2r({251}, 5)),
                           r2r({127}, {AxisKind::dct2}, 18), r2c({6, 61}, 3)}) {
    Program const program = verify_planned(p, 5);
    bool rader = false;
    for (auto const& [digit, length] : program.transformed_by)
      rader = rader || length == program.radices[digit.dim][digit.part] - 1;
    EXPECT_TRUE(rader) << text(program);
  }
}

/// Points j and n-j as one complex number, half as many as the length, whatever the planner prefers.
TEST(RealPrograms, PrimesInRealRader) {
  Problem columns = r2c({127}, 12), apart = c2r({131}, 9);
  columns.axes[0].in_stride = 12, columns.axes[0].out_stride = 13;
  columns.batch[0].in_stride = columns.batch[0].out_stride = 1;
  apart.batch[0].in_stride += 3, apart.batch[0].out_stride += 5;
  apart.scale = 0.25;
  std::vector<Problem> problems{
      columns,          apart,          in_place(r2c({251}, 5)), in_place(c2r({113}, 5)), r2c({6, 127}, 3),
      c2r({6, 127}, 3), r2c({1009}, 9), c2r({1009}, 2)};
  for (Index n : {67, 79, 127, 241, 331, 601}) {
    problems.push_back(r2c({n}, 3 + n % 9, n % 3 == 1 ? Precision::f32 : Precision::f64));
    problems.push_back(c2r({n}, 1 + n % 7, n % 4 == 1 ? Precision::f32 : Precision::f64));
  }
  std::size_t number = 0;
  for (Problem const& p : problems) {
    if (!takes(number++, 3)) continue;
    SCOPED_TRACE(text(p));
    bool found = false;
    for (Candidate const& c : planner(p, machine("h200"), {.max_candidates = 64})) {
      bool const own =
          std::any_of(c.program.transformed_by.begin(), c.program.transformed_by.end(),
                      [&](auto const& padded) { return by_real_rader(c.program, padded.first.dim); });
      if (!own || std::exchange(found, true)) continue;
      EXPECT_EQ(parse_program(text(c.program)), c.program) << text(c.program);
      verify_real(c.program, machine("h200"), number);
    }
    EXPECT_TRUE(found);
  }
}

/// The chirps of r2c need not be padded for the outputs that are not stored, over several sweeps or on chip.
TEST(RealPrograms, ChirpsForHalfOfTheOutputs) {
  Index const n = 20011;
  Program const program = verify_planned(r2c({n}, 1), 3, machine("a100"));
  ASSERT_EQ(program.convolved.size(), 1u) << text(program);
  Index length = 1;
  for (Index r : program.radices[0]) length *= r;
  EXPECT_GE(length, n + n / 2);
  EXPECT_LT(length, 2 * n - 1);
  for (Problem const& p :
       {r2c({107}, 9), r2c({3 * 167}, 3), r2c({563}, 5), r2c({10, 83}, 2), in_place(r2c({1019}, 2))}) {
    Program const on_chip = verify_planned(p, 4);
    Index const m = p.axes.back().size,
                by = on_chip.transformed_by.empty() ? 0 : on_chip.transformed_by.begin()->second;
    EXPECT_GE(by, m + m / 2) << text(on_chip);
    EXPECT_LT(by, 2 * m - 1) << text(on_chip);
  }
}

TEST(RealPrograms, OfSeveralAxes) {
  std::vector<std::vector<Index>> const shapes{
      {8, 8},    {16, 64},     {5, 12},   {12, 5},     {1, 6},       {6, 1},       {100, 36},   {64, 1024},
      {4, 6, 8}, {16, 16, 16}, {3, 5, 7}, {9, 10, 12}, {32, 32, 32}, {2, 3, 4, 6}, {64, 64, 64}};
  for (auto const& shape : shapes) {
    Index n = 1;
    for (Index e : shape) n *= e;
    if (quick() && n > 4096) continue;
    for (Precision precision : {Precision::f32, Precision::f64}) {
      if (n > 10000 && precision == Precision::f64) continue;
      verify_planned(r2c(shape, n < 500 ? 3 : 1, precision), std::uint64_t(n));
      verify_planned(c2r(shape, n < 500 ? 3 : 1, precision), std::uint64_t(n));
    }
  }
}

TEST(RealPrograms, InPlacePadded) {
  for (auto const& shape : std::vector<std::vector<Index>>{{16}, {15}, {1000}, {8, 12}, {7, 9}, {4, 6, 10}}) {
    verify_planned(in_place(r2c(shape, 3)), 1);
    verify_planned(in_place(c2r(shape, 3)), 2);
  }
}

TEST(RealPrograms, StridedAndBatchedInside) {
  for (Index n : {8, 12, 15, 64}) {
    Problem p = r2c({n}, 5);  // the batch is inside: its entries are neighbours
    p.axes[0].in_stride = 5, p.axes[0].out_stride = 6;
    p.batch[0].in_stride = p.batch[0].out_stride = 1;
    verify_planned(p, std::uint64_t(n));
    Problem q = c2r({n}, 5);
    q.axes[0].in_stride = 7, q.axes[0].out_stride = 5;
    q.batch[0].in_stride = q.batch[0].out_stride = 1;
    verify_planned(q, std::uint64_t(n));
    Problem odd = r2c({n}, 5);  // rows of an odd number of reals
    odd.batch[0].in_stride = n + 1 + n % 2;
    verify_planned(odd, std::uint64_t(n));
  }
}

/// A machine so small that short axes are long ones.
Machine tiny() {
  Machine m = machine("a100");
  m.shared_block = 1024;
  return m;
}

/// Of more data than L2 holds, cosine lines have cuts of their own (plan/lower/cosine_lines.h).
TEST(RealPrograms, ManyCosineLines) {
  Machine m = machine("h200");
  m.l2_bytes = 1;
  std::size_t number = 0;
  for (Index n : {60, 500, 720, 960, 1500, 3000, 5000, 6000}) {
    if (quick() && n > 1000) continue;
    Index const batch = n < 2000 ? 7 : 1;
    for (AxisKind kind : {AxisKind::dct2, AxisKind::dct3, AxisKind::dst2, AxisKind::dst3})
      if (takes(number++, 3)) verify_planned(r2r({n}, {kind}, batch), std::uint64_t(n), m);
  }
}

/// The assignment of lines has more extra elements a thread than any step has elements.
TEST(RealPrograms, LinesWithMoreExtraElementsThanElements) {
  for (Index lines : {168, 672}) {
    Program const program = verify_planned(r2r({4}, {AxisKind::dst2}, lines), 1);
    kernel::SweepSpec const spec = lower(program, 0, machine("h200")).spec;
    int most = 0;
    for (int i = 0; i < spec.steps; ++i) most = std::max(most, elements_per_thread(spec, i));
    EXPECT_GT(elements_per_thread(spec, spec.steps), most) << lines;
  }
}

TEST(RealPrograms, TooLongForATile) {
  Index const sizes[] = {512, 405};
  for (Index n : sizes) {
    if (quick() && n != 512) continue;
    Index const batch = n == 405 ? 3 : 1;
    for (Problem const& p : {r2c({n}, batch), c2r({n}, batch), r2r({n}, {AxisKind::dct2}, batch),
                             r2r({n}, {AxisKind::dst3}, batch), r2r({n}, {AxisKind::dct4}, batch),
                             r2r({n + 1}, {AxisKind::dct1}, batch), r2r({n - 1}, {AxisKind::dst1}, batch)}) {
      if (quick() && p.kind == Kind::r2r) continue;  // planning for so small a machine takes long
      Program const program = verify_planned(p, std::uint64_t(n), tiny());
      EXPECT_GE(program.sweeps.size(), 2u) << text(p);
    }
  }
  if (quick()) return;
  verify_planned(r2c({6, 600}, 2), 1, tiny());
  verify_planned(c2r({6, 600}, 2), 2, tiny());
  verify_planned(r2c({10, 315}), 3, tiny());
  verify_planned(c2r({10, 315}), 4, tiny());
}

/// Long axes of reals are cut by columns, whatever their strides.
TEST(RealPrograms, ByColumns) {
  auto const verify_columns = [](Problem const& p) {
    Program const program = verify_planned(p, 7, tiny());
    for (int d = 0; d < int(program.dims.size()); ++d)
      EXPECT_EQ(columns_of(program, d).has_value(), program.dims[d].halved) << text(program);
  };
  for (Index n : {256, 300, 1000}) {
    Precision const precision = n % 16 ? Precision::f32 : Precision::f64;
    for (Problem const& p : {r2c({n}, 2, precision), c2r({n}, 2, precision)}) {
      verify_columns(p);
      if (quick()) break;
      verify_columns(in_place(p));
      Problem inside = p;  // the batch is inside: no pairs of neighbours
      inside.axes[0].in_stride = inside.axes[0].out_stride = 3;
      inside.batch[0].in_stride = inside.batch[0].out_stride = 1;
      verify_planned(inside, 8, tiny());
    }
  }
  if (quick()) return;
  verify_columns(r2c({4096}));  // three sweeps
  verify_columns(c2r({4096}));
  verify_columns(r2c({3, 512}));
  verify_columns(c2r({3, 512}));
  Problem odd = r2c({512}, 3);  // rows of an odd number of reals
  odd.batch[0].in_stride = 513;
  verify_columns(odd);
}

TEST(RealPrograms, CosinesAndSinesOfEveryLength) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n = smallest_size(kind); n <= 128; n += quick() ? 17 : 1) {
      Precision const precision = n % 3 ? Precision::f32 : Precision::f64;
      verify_planned(r2r({n}, {kind}, 1 + n % 3, precision), std::uint64_t(n));
    }
}

/// Past 1024 entries rotations are cut in two tables: one factor a thread and one entry a register, where registers are evenly apart.
TEST(RealPrograms, LongRotations) {
  for (Problem const& p :
       {r2c({3000}, 2), r2r({2250}, {AxisKind::dct2}, 2, Precision::f64), c2r({4096}, 2), r2c({4096}, 2),
        r2r({4096}, {AxisKind::dct2}), r2r({4096}, {AxisKind::dst3}), r2r({4096}, {AxisKind::dct4})}) {
    if (quick() && p.axes[0].size == 4096 && p.kind != Kind::c2r) continue;
    verify_planned(p, 11);
  }
}

/// dct2 reads pairs as they stand, and dct3 writes them so: the Makhoul permutation is an exchange on chip.
TEST(RealPrograms, CosinesMovePairsInWholeSectors) {
  Machine const m = machine("h200");
  for (AxisKind kind : {AxisKind::dct2, AxisKind::dst2, AxisKind::dct3, AxisKind::dst3})
    for (Index n : {64, 256, 1024})
      for (Precision precision : {Precision::f32, Precision::f64}) {
        if (quick() && (n > 256 || (n == 64) != (precision == Precision::f32))) continue;
        Program const program = verify_planned(r2r({n}, {kind}, 70, precision), std::uint64_t(n));
        auto const spec = lower(program, 0, m).spec;
        Index const bytes = element_bytes(program.problem);
        bool const pre = kind == AxisKind::dct2 || kind == AxisKind::dst2;
        EXPECT_EQ(pre ? spec.pre.makhoul : spec.post.makhoul, true) << text(program);
        EXPECT_TRUE(pre ? load_sectors(spec, 0, bytes).full() : store_sectors(spec, 0, bytes).full());
        int const i = pre ? 1 : spec.steps - 1;
        EXPECT_EQ(exchange_writes(spec, i, bytes).conflicts() + exchange_reads(spec, i, bytes).conflicts(), 0)
            << text(program);
      }
  Problem odd = r2r({16}, {AxisKind::dct2}, 3);  // rows of an odd number of reals: no pairs
  odd.batch[0].in_stride = 17;
  EXPECT_FALSE(lower(verify_planned(odd, 1), 0, m).spec.pre.makhoul);
}

Problem orthonormal(Problem p) {
  p.norm = Norm::ortho;
  return p;
}

TEST(RealPrograms, Orthonormal) {
  using enum AxisKind;
  for (AxisKind kind : real_axis_kinds) {
    for (Index n : {1, 2, 3, 4, 7, 16, 30, 67, 1024})
      if (n >= smallest_size(kind) && (!quick() || n < 20))
        verify_planned(orthonormal(r2r({n}, {kind}, 2, n % 2 ? Precision::f32 : Precision::f64)),
                       std::uint64_t(n));
    verify_planned(orthonormal(r2r({10, 12, 9}, {kind, dct2, dst3}, 2)), 1);  // every axis
    verify_planned(orthonormal(r2r({10, 9, 12}, {dct3, kind, dct1}, 2)), 2);
    verify_planned(orthonormal(in_place(r2r({5, 6, 7}, {dst2, dct4, kind}, 2))), 3);
    Problem mixed = c2c({6, 8, 10}, 2);
    mixed.axes[1].kind = kind;
    verify_planned(orthonormal(mixed), 4);
    for (Problem p : {r2c({6, 8, 10}), c2r({6, 8, 10})}) {
      p.axes[0].kind = kind;
      verify_planned(orthonormal(dense_layout(p)), 5);
    }
  }
  if (quick()) return;
  for (AxisKind kind : {dct1, dct2, dst3}) verify_planned(orthonormal(r2r({405}, {kind}, 2)), 6, tiny());
  verify_planned(orthonormal(r2r({4096}, {dct2})), 7);
  verify_planned(orthonormal(r2r({4096}, {dst3})), 8);
}

TEST(RealPrograms, MixedKinds) {
  using enum AxisKind;
  verify_planned(r2r({12, 10}, {dct2, dst3}, 2), 1);
  verify_planned(r2r({6, 8, 10}, {dct4, dst1, dct1}, 1, Precision::f64), 2);
  verify_planned(r2r({5, 4, 3, 6}, {dst2, dct3, dst4, dct2}), 3);
  for (Kind kind : {Kind::r2c, Kind::c2r}) {
    Problem p = kind == Kind::r2c ? r2c({6, 8, 10}, 2) : c2r({6, 8, 10}, 2);
    p.axes[0].kind = dct2;
    verify_planned(dense_layout(p), 4);
    p.axes[1].kind = dst4;
    verify_planned(dense_layout(p), 5);
    std::swap(p.axes[0].kind, p.axes[2].kind);
    verify_planned(dense_layout(p), 6);
    p.axes[0].size = 1;
    verify_planned(dense_layout(p), 7);
  }
  for (Direction direction : {Direction::forward, Direction::inverse}) {
    Problem p = c2c({6, 8, 10}, 2, Precision::f32, direction);
    p.axes[1].kind = dct2;
    verify_planned(p, 9);
    p.axes[2].kind = dst4;
    verify_planned(p, 10);
    p.axes[0].kind = dct1;
    verify_planned(in_place(p), 11);
  }
  Problem inside = in_place(r2r({12, 10}, {dct2, dst3}, 2));
  verify_planned(inside, 8);
}

TEST(RealPrograms, CosinesAndSinesOfLongerLengths) {
  std::mt19937_64 random(seed_of_run());
  for (int i = 0; i < (quick() ? 1 : thorough() ? 200 : 16); ++i) {
    Precision const precision = i % 4 ? Precision::f32 : Precision::f64;
    std::uint64_t const most = precision == Precision::f32 ? 2500 : 500;  // the reference takes its time
    verify_planned(r2r({129 + Index(random() % most)}, {real_kind(random)}, 1 + i % 2, precision), 3);
  }
}

TEST(RealPrograms, RandomMixedKinds) {
  std::mt19937_64 random(seed_of_run());
  for (int i = 0; i < (quick() ? 4 : thorough() ? 2000 : 60) && !HasFailure(); ++i)
    verify_planned(random_mixed(random, 3000, {600, 60, 14, 14}), random());
}

}  // namespace
}  // namespace skipper::testing
