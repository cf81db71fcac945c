// The predicted slowdown of blocks against sweeps measured one by one on an H200 (bench/results/h200-choices.md): programs
// of one sweep, with the registers and instructions that NVRTC made of their kernels then.
#include "plan/lower/occupancy.h"

#include <gtest/gtest.h>

#include "plan/cost.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper::testing {
namespace {

Machine const& h200() {
  static Machine const m = machine("h200");
  return m;
}

struct Row {
  char const* what;
  Index threads, elements_per_thread, points, shared, element;
  double instructions;
  Index registers, blocks;
  double measured;  // x copy
  int exchanges;
};

Row const rows[] = {
    {"512", 64, 32, 2048, 2080, 8, 1000, 94, 10, 1.05, 1},
    {"4096", 256, 16, 4096, 4352, 8, 776, 76, 3, 1.02, 2},
    {"8192", 256, 32, 8192, 8704, 8, 1616, 113, 2, 1.02, 2},
    {"16384", 512, 32, 16384, 17408, 8, 1680, 128, 1, 1.25, 2},
    {"1000", 200, 10, 2000, 4040, 8, 488, 63, 4, 1.01, 2},
    {"5000", 250, 25, 5000, 6120, 8, 1344, 110, 2, 1.36, 2},
    {"6561", 243, 27, 6561, 6720, 8, 1688, 118, 2, 1.20, 2},
    {"10000", 500, 25, 10000, 10010, 8, 1376, 105, 1, 1.50, 2},
    {"15625", 625, 25, 15625, 15625, 8, 1688, 81, 1, 1.38, 2},
    {"100^2", 1000, 10, 10000, 10490, 8, 584, 46, 1, 1.35, 3},
    {"128^2", 1024, 16, 16384, 17408, 8, 856, 51, 1, 1.23, 3},
    {"16^3", 256, 16, 4096, 4110, 8, 576, 46, 5, 1.03, 2},
    {"f64 4096", 256, 16, 4096, 4352, 16, 776, 146, 1, 1.21, 2},
    {"f64 8192", 512, 16, 8192, 8320, 16, 920, 127, 1, 1.24, 3},
};

Work work_in(Row const& r) {
  Work work{r.threads, r.elements_per_thread, r.points,   r.shared, r.element, 1,
            0,         r.instructions,        r.registers};
  work.exchanges = r.exchanges;
  return work;
}

TEST(Occupancy, PredictedSlowdownIsNearWhatWasMeasured) {
  for (Row const& r : rows) {
    Work const work = work_in(r);
    EXPECT_EQ(blocks_of(work, r.registers, h200()), r.blocks) << r.what;
    EXPECT_NEAR(slowdown(work, h200()), r.measured, 0.14 * r.measured) << r.what;
  }
}

TEST(Occupancy, ASlowerMeasurementHasTheSlowerPrediction) {
  for (Row const& a : rows)
    for (Row const& b : rows) {
      if (a.measured < 1.15 * b.measured) continue;
      auto const of = [](Row const& r) { return slowdown(work_in(r), h200()); };
      EXPECT_GT(of(a), of(b)) << a.what << " against " << b.what;
    }
}

TEST(Occupancy, LongTablesCostLessWhereLinesShareThem) {
  auto const traffic = [](Index bytes, double lines) {
    WorkCount count(8, 1, WorkCount::SideWork::bluestein);
    count.add(256, 16, 16, kernel::Twiddling::none, false);
    count.add_table(4096, bytes, lines);
    return count.total().traffic;
  };
  EXPECT_EQ(traffic(1024, 1), traffic(1024, 8)) << "L1 keeps it";
  EXPECT_GT(traffic(32768, 1), 1.5 * traffic(1024, 1));
  EXPECT_LT(traffic(32768, 8), traffic(32768, 2));
}

TEST(Occupancy, ConvolutionsTakeAsLongAsMeasured) {  // on an H200: x copy
  struct Case {
    char const* program;
    double measured;
  };
  for (auto const& [program, measured] :
       {Case{
            "c2c f32 forward 1019 batch 131716\n{X(1,1019,1,1019,no-tw,by 2048)} with B%2 on block in -> out",
            2.15},
        Case{"c2c f32 forward 2039 batch 65825\n{X(1,2039,1,2039,no-tw,by 4096)} on block in -> out", 2.54},
        Case{"c2c f32 forward 4093 batch 32792\n{X(1,4093,1,4093,no-tw,by 8192)} on block in -> out", 2.87}})
    EXPECT_NEAR(sweep_cost(parse_program(program), 0, h200()), measured, 0.25 * measured) << program;
}

TEST(Occupancy, BlocksAreBoundedByRegistersSharedMemoryAndThreads) {
  Work work{256, 16, 4096, 0, 8, 1, 0, 700, 64};
  EXPECT_EQ(blocks_of(work, 64, h200()), 4) << "65536 registers";
  EXPECT_EQ(blocks_of(work, 65, h200()), 3) << "they come by eights";
  EXPECT_EQ(blocks_of(work, 16, h200()), 8) << "2048 threads";
  EXPECT_EQ(blocks_of(work, 256, h200()), 0) << "more than a thread may have";
  work.shared = 9 * 1024;
  EXPECT_EQ(blocks_of(work, 64, h200()), 3) << "72 KB of 228 each";
  work.shared = 30 * 1024;
  EXPECT_EQ(blocks_of(work, 64, h200()), 0) << "more than a block may have";
  EXPECT_EQ(blocks_of({576, 24, 13824, 0, 8, 1, 0, 1, 1}, 112, h200()), 0)
      << "18 warps, but each of four schedulers has registers for 4";
  EXPECT_EQ(blocks_of({576, 24, 13824, 0, 8, 1, 0, 1, 1}, 96, h200()), 1);
}

TEST(Occupancy, MoreBlocksAreNeverSlowerAndManyTilesAreMany) {
  Work work{256, 32, 8192, 8704, 8, 1, 0, 1600, 128};
  double const two = slowdown(work, h200());
  work.registers = 255;
  double const one = slowdown(work, h200());
  EXPECT_GT(one, two);
  work.tiles = 1000000;
  EXPECT_NEAR(slowdown(work, h200()), one, 0.01);
  work.tiles = 1;
  double const single = slowdown(work, h200());
  work.tiles = 132;
  EXPECT_LE(slowdown(work, h200()), single) << "as long for 132 times the data";
}

/// One transform alone on an H200, replayed from a graph: a sweep takes its launch and the steps of one block.
TEST(Occupancy, OneBlockAloneTakesAsLongAsMeasured) {
  struct Alone {
    char const* what;
    Index threads, elements_per_thread, element;
    double instructions;
    int exchanges;
    double microseconds;
  };
  for (Alone const& a : {Alone{"64", 16, 4, 8, 154, 2, 1.19}, Alone{"1024", 256, 4, 8, 254, 4, 1.75},
                         Alone{"4096", 512, 8, 8, 457, 3, 3.11}, Alone{"16384", 512, 32, 8, 1651, 2, 7.87},
                         Alone{"24^3", 576, 24, 8, 1008, 2, 6.04}}) {
    Work work{a.threads,
              a.elements_per_thread,
              a.threads * a.elements_per_thread,
              0,
              a.element,
              1,
              1,
              a.instructions,
              64};
    work.exchanges = a.exchanges;
    double const over = 1.1 - 0.9;  // a launch counts for more than it took in the graph
    double const copy = 1e-3 * copy_ns(2 * double(work.points * a.element), h200());
    EXPECT_NEAR(slowdown(work, h200()) * copy - over, a.microseconds, 0.1 * a.microseconds) << a.what;
  }
}

/// Lines of f64 by their matrix on an H200, x copy.
TEST(Occupancy, ProductsWithAMatrixTakeAsLongAsMeasured) {
  struct MatrixDft {
    Index n;
    double slowdown;
  };
  for (MatrixDft const& d : {MatrixDft{23, 1.07}, MatrixDft{31, 1.07}, MatrixDft{43, 1.32},
                             MatrixDft{59, 1.43}, MatrixDft{67, 1.62}, MatrixDft{107, 2.37}}) {
    std::string const n = std::to_string(d.n);
    Problem const problem =
        parse_problem("c2c f64 forward " + n + " batch " + std::to_string((1 << 24) / d.n));
    Program const program = parse_program("{X(1," + n + ",1," + n + ",no-tw,by " + n + ")}", problem);
    EXPECT_NEAR(lowered_slowdown(program, 0, h200()).value_or(0), d.slowdown, 0.15 * d.slowdown) << n;
  }
  EXPECT_EQ(direct_dft_threads(82, 4), 128);
  EXPECT_EQ(direct_dft_threads(164, 4), 192);
  EXPECT_EQ(direct_dft_threads(16, 1), 32);
  EXPECT_EQ(tensor_rate(machine("rtx4090")), 0);
}

/// The small sizes, planes and cubes of the public list: several blocks an SM, with many loads in flight.
TEST(Occupancy, OfTheListedSizesKeepsLoadsInFlight) {
  for (char const* size : {"16", "64", "128", "256", "512", "1024", "4096", "5000", "6561", "8192", "100x100",
                           "64x64", "16x16x16", "20x20x20"}) {
    Problem const problem = parse_problem("c2c f32 forward " + std::string(size) + " batch 262144");
    Program const program =
        planner(problem, h200(), {.l2_blocks = false, .max_candidates = 1}).front().program;
    ASSERT_EQ(program.sweeps.size(), 1u) << size;
    kernel::SweepSpec const spec = lower(program, 0, h200()).spec;
    Occupancy const o = occupancy(spec, 8, work_of(spec, 8).registers, h200());
    EXPECT_GE(o.blocks, 2) << size;
    EXPECT_GE(o.load_bytes, 32 * 1024) << size;
    EXPECT_EQ(spec.resident, o.blocks) << size;
  }
}

}  // namespace
}  // namespace skipper::testing
