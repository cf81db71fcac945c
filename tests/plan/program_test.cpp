// What a program's parts mean: the dimensions of a problem, the strides of digits, the papers' numbers; and that
// check() finds whatever is wrong with a program built by hand.
#include "plan/program.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <functional>
#include <numeric>
#include <set>

#include "plan/planner.h"
#include "plan/random_program.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// "X 8 1/1 axis, B 5 8/8"
std::string dims_of(std::string const& problem) {
  std::string text;
  for (Dimension const& d : dimensions(parse_problem(problem))) {
    if (!text.empty()) text += ", ";
    text += d.name + " " + std::to_string(d.size) + " " + std::to_string(d.in) + "/" + std::to_string(d.out) +
            (d.axis ? " axis" : "");
  }
  return text;
}

TEST(Dimensions, AreNamedFromTheFastest) {
  EXPECT_EQ(dims_of("c2c f32 forward 4x5x6"), "X 6 1/1 axis, Y 5 6/6 axis, Z 4 30/30 axis");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 5"), "X 8 1/1 axis, B 5 8/8");
}

TEST(Dimensions, OfBatchesThatAddressMemoryAsOneAreMerged) {
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 5x3"), "X 8 1/1 axis, B 15 8/8");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 5x3 in 1/40,10 out 1/24,8"),
            "X 8 1/1 axis, B 3 10/8, B2 5 40/24");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 5x3 in 1/30,10 out 1/30,10"), "X 8 1/1 axis, B 15 10/10");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 5x1x3 in 1/24,7,8 out 1/24,9,8"), "X 8 1/1 axis, B 15 8/8");
}

TEST(Dimensions, OfBatchesInsideTheAxesComeFirst) {
  EXPECT_EQ(dims_of("c2c f32 forward 16x8 batch 64 in 512,64/1 out 512,64/1"),
            "X 64 1/1, Y 8 64/64 axis, Z 16 512/512 axis");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 4x64 in 64/512,1 out 64/512,1"),
            "X 64 1/1, Y 8 64/64 axis, B 4 512/512");
  EXPECT_EQ(dims_of("c2c f32 forward 8 batch 4 in 1/0 out 1/8"), "X 8 1/1 axis, B 4 0/8");
}

TEST(Dimensions, OfSizeOneStayOnlyWhereTheyAreAxes) {
  EXPECT_EQ(dims_of("c2c f32 forward 1x8x1 batch 1"), "X 1 1/1 axis, Y 8 1/1 axis, Z 1 8/8 axis");
}

// Digits.

Program with_radices(Order order, std::vector<Index> const& radices) {
  Index const n = std::accumulate(radices.begin(), radices.end(), Index(1), std::multiplies<>());
  Problem problem = c2c({n});
  problem.order = order;
  Program program{problem, dimensions(problem), {radices}, std::vector<Sweep>(1)};
  for (int i = 0; i < int(radices.size()); ++i) program.sweeps[0].transforms.push_back({0, i});
  return program;
}

std::string subs_of(Program const& program) {
  std::string all;
  for (DigitKey d : program.sweeps[0].transforms) all += "X" + text(sub_transform(program, d));
  return all;
}

TEST(Digits, PrintAsInThePapers) {
  EXPECT_EQ(subs_of(with_radices(Order::natural, {16, 4, 4})),
            "X(16,16,16,256,tw)X(64,4,4,16,tw)X(64,4,1,4,no-tw)");
  EXPECT_EQ(subs_of(with_radices(Order::reversed, {4, 8, 8})),
            "X(64,4,64,256,tw)X(32,8,8,64,tw)X(32,8,1,8,no-tw)");
  EXPECT_EQ(subs_of(with_radices(Order::from_reversed, {4, 256})), "X(256,4,1,4,tw)X(4,256,4,1024,no-tw)");
}

/// All sums of digit x stride, the first digit the slowest to count.
std::vector<Index> indices(Program const& program, Index (*stride)(Program const&, DigitKey)) {
  std::vector<Index> sums{0};
  for (int part = 0; part < int(program.radices[0].size()); ++part) {
    std::vector<Index> more;
    for (Index at : sums)
      for (Index i = 0; i < program.radices[0][std::size_t(part)]; ++i)
        more.push_back(at + i * stride(program, {0, part}));
    sums = std::move(more);
  }
  return sums;
}

TEST(Digits, CountTheInputInOrderAndTheOutputDigitReversed) {
  for (std::vector<Index> const& radices : {std::vector<Index>{30}, {2, 3}, {4, 3, 5}, {7, 2, 2, 3}}) {
    std::vector<Index> ascending(indices(with_radices(Order::natural, radices), input_stride).size());
    std::iota(ascending.begin(), ascending.end(), 0);
    // Decimation in frequency: j = j1 n/r1 + .., k = k1 + k2 r1 + ..
    std::vector<Index> reversed{0};
    Index weight = 1;
    for (Index r : radices) {
      std::vector<Index> more;
      for (Index at : reversed)
        for (Index i = 0; i < r; ++i) more.push_back(at + i * weight);
      reversed = std::move(more);
      weight *= r;
    }
    EXPECT_EQ(indices(with_radices(Order::natural, radices), input_stride), ascending);
    EXPECT_EQ(indices(with_radices(Order::natural, radices), output_stride), reversed);
    EXPECT_EQ(indices(with_radices(Order::reversed, radices), input_stride), ascending);
    EXPECT_EQ(indices(with_radices(Order::reversed, radices), output_stride), ascending)
        << "every digit where it was read";
    EXPECT_EQ(indices(with_radices(Order::from_reversed, radices), input_stride), reversed);
    EXPECT_EQ(indices(with_radices(Order::from_reversed, radices), output_stride), reversed);
  }
}

TEST(Layouts, OfOneSweepAreReadByTheNext) {
  Program const program = parse_program(
      "c2c f32 forward 64\n{X(8,8,8,64,tw)} on block in -> work [X1/2 X2 X1%2]\n{X(8,8,1,8,no-tw)} on block "
      "work -> out");
  auto const written = write_layout(program, 0), read = read_layout(program, 1);
  ASSERT_EQ(written.size(), 3u);
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(written[i].piece, read[i].piece);
    EXPECT_EQ(written[i].stride, read[i].stride);
  }
  EXPECT_EQ(written[0].piece, (Piece{{0, 0}, 1, 2}));
  EXPECT_EQ(written[1].stride, 2);
  EXPECT_EQ(written[2].stride, 16);
  EXPECT_EQ(points(program.problem), 64);
  EXPECT_EQ(element_bytes(program.problem), 8);
}

TEST(Program, TextReadsBackForRandomPrograms) {
  for (unsigned seed = 0; seed < (quick() ? 300u : 1000u); ++seed) {
    RandomProgram random(seed);
    Program const program = random(Index(1) << (2 + random.random().below(30)));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text(program));
    ASSERT_NO_THROW(check(program));
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

// Convolutions

std::string const spread =
    "c2c f32 forward 31\n{X(8,8,8,64,tw)} on block in -> work [X1 X2]\n"
    "{X(8,8,1,8,tw,convolve)} on block work -> work [X1 X2]\n{X(8,8,8,64,no-tw,back)} on block work -> out";

TEST(Convolutions, OnChipTakeThePaddedLengthInTheTileOnly) {
  Program const program =
      parse_program("c2c f32 forward 37 batch 4\n{X(1,37,1,37,no-tw,by 80)} with B on block in -> out");
  EXPECT_EQ(program.transformed_by, (std::map<DigitKey, Index>{{{0, 0}, 80}}));
  Tile const tile = tile_of(program, 0);
  EXPECT_EQ(tile_points(tile), 4 * 80);
  EXPECT_EQ(read_segment(tile), 4 * 37);
  EXPECT_TRUE(writes_where_it_reads(program, 0));
  EXPECT_EQ(work_points(program), 4 * 37);
}

TEST(Convolutions, OverSweepsGoThereAndBack) {
  Program const program = parse_program(spread);
  EXPECT_EQ(program.convolved, (std::set<int>{0}));
  EXPECT_EQ(program.radices[0], (std::vector<Index>{8, 8}));
  EXPECT_EQ(work_points(program), 64);
  EXPECT_EQ(phase_of(program, 0, {0, 0}), ConvolutionPhase::forward);
  EXPECT_EQ(phase_of(program, 1, {0, 1}), ConvolutionPhase::middle);
  EXPECT_EQ(phase_of(program, 2, {0, 0}), ConvolutionPhase::back);
  EXPECT_EQ(input_stride(program, {0, 0}), 8);
  EXPECT_EQ(output_stride(program, {0, 0}), 8) << "the index ends with the digits it began with";
  EXPECT_EQ(convolution_span(program, 0).first, 0);
  EXPECT_EQ(convolution_span(program, 0).last, 2);
}

TEST(Convolutions, AreCheckedForLengthAndOrder) {
  auto const refused = [](Program const& program, std::string const& said) {
    try {
      check(program);
      ADD_FAILURE() << "accepted where it should say " << said;
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find(said), std::string::npos) << e.what();
    }
  };
  Program good =
      parse_program("c2c f32 forward 37 batch 4\n{X(1,37,1,37,no-tw,by 80)} with B on block in -> out");
  good.transformed_by = {{{0, 0}, 36}};  // by Rader
  check(good);
  for (Index length : {72, 35, 74}) {
    good.transformed_by = {{{0, 0}, length}};
    refused(good, "at least 73");
  }
  good.transformed_by = {{{0, 3}, 80}};
  refused(good, "does not have");
  Program over = parse_program(spread);
  over.radices[0] = {4, 8};
  refused(over, "at least 61");
  over = parse_program(spread);
  std::swap(over.sweeps[0].transforms, over.sweeps[1].transforms);
  refused(over, "in order");
  over = parse_program(spread);
  over.sweeps[1].transforms.push_back({0, 0});
  refused(over, "two sweeps");
  over.convolved = {5};
  refused(over, "not an axis");
  EXPECT_THROW(parse_program("c2c f32 forward 8\n{X(1,8,1,8,no-tw,back)} on block in -> out"), Error);
}

// check()

Program good() {
  return parse_program(
      "c2c f32 forward 8x64\n{X(8,8,8,64,tw)} with Y%2 on block in -> work [Y X1/2 X2 X1%2]\n"
      "{Y(1,8,1,8,no-tw), X(8,8,1,8,no-tw)} with X1%4 on block work -> out");
}

struct Damage {
  char const* what;
  std::function<void(Program&)> done;
  char const* said;
};

TEST(Check, FindsEveryDamage) {
  ASSERT_NO_THROW(check(good()));
  Index const huge = Index(1) << 62;
  std::vector<Damage> const damages = {
      {"problem", [](Program& p) { p.problem.axes[0].size = 0; }, "axes[0]"},
      {"another problem",
       [](Program& p) {
         p.problem = c2c({8, 128});
       },
       "dimensions"},
      {"dims", [](Program& p) { p.dims[0].in = 2; }, "dimensions"},
      {"radices lost", [](Program& p) { p.radices.pop_back(); }, "radices"},
      {"radices too few", [](Program& p) { p.radices[0] = {8}; }, "multiply to 64"},
      {"radices too large",
       [&](Program& p) {
         p.radices[0] = {huge, huge};
       },
       "multiply to 64"},
      {"radices of zero",
       [](Program& p) {
         p.radices[0] = {0, 8};
       },
       "multiply to 64"},
      {"radices below zero",
       [](Program& p) {
         p.radices[0] = {-8, -8};
       },
       "multiply to 64"},
      {"no sweeps", [](Program& p) { p.sweeps.clear(); }, "at least one"},
      {"sub-transform lost", [](Program& p) { p.sweeps[1].transforms.pop_back(); }, "1 of its 2"},
      {"sub-transform twice",
       [](Program& p) {
         p.sweeps[1].transforms.push_back({1, 0});
       },
       "in order"},
      {"sub-transforms swapped", [](Program& p) { p.sweeps[0].transforms[0].part = 1; }, "in order"},
      {"no such axis",
       [](Program& p) {
         p.sweeps[0].transforms.push_back({7, 0});
       },
       "not an axis"},
      {"axis below zero",
       [](Program& p) {
         p.sweeps[0].transforms.push_back({-1, 0});
       },
       "not an axis"},
      {"layout lost a digit", [](Program& p) { p.sweeps[0].layout.pop_back(); }, "exactly once"},
      {"layout holds one twice",
       [](Program& p) {
         p.sweeps[0].layout.push_back({{0, 0}, 2, 2});
       },
       "exactly once"},
      {"layout of a digit unknown",
       [](Program& p) {
         p.sweeps[0].layout.push_back({{9, 9}, 1, 2});
       },
       "exactly once"},
      {"layout of nothing", [](Program& p) { p.sweeps[0].layout.clear(); }, "exactly once"},
      {"layout overflows",
       [&](Program& p) {
         p.sweeps[0].layout = {{{0, 0}, 1, huge}, {{0, 0}, huge, huge}};
       },
       "exactly once"},
      {"tile of a digit unknown",
       [](Program& p) {
         p.sweeps[0].with = {{{5, 0}, 1, 2}};
       },
       "does not have"},
      {"tile of a part unknown",
       [](Program& p) {
         p.sweeps[0].with = {{{1, 3}, 1, 2}};
       },
       "does not have"},
      {"tile cut by zero",
       [](Program& p) {
         p.sweeps[0].with = {{{1, 0}, 0, 2}};
       },
       "does not have"},
      {"tile cut above",
       [&](Program& p) {
         p.sweeps[0].with = {{{1, 0}, huge, huge}};
       },
       "does not have"},
      {"tile holds twice",
       [](Program& p) {
         p.sweeps[0].with = {{{1, 0}, 1, 4}, {{1, 0}, 2, 2}};
       },
       "twice"},
      {"tile holds its own",
       [](Program& p) {
         p.sweeps[0].with = {{{0, 0}, 1, 2}};
       },
       "transforms it"},
      {"reads elsewhere", [](Program& p) { p.sweeps[1].from = Buffer::work2; }, "the data is in work"},
      {"writes the input", [](Program& p) { p.sweeps[0].to = p.sweeps[1].from = Buffer::in; },
       "writes the input"},
      {"ends elsewhere", [](Program& p) { p.sweeps[1].to = Buffer::work2; }, "must write out"},
      {"overwrites", [](Program& p) { p.sweeps[0].to = p.sweeps[1].from = Buffer::out; }, "another buffer"},
  };
  for (Damage const& damage : damages) {
    Program program = good();
    damage.done(program);
    try {
      check(program);
      ADD_FAILURE() << damage.what << ": not found";
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find(damage.said), std::string::npos)
          << damage.what << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace skipper::testing
