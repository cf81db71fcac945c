// What real axes are in memory, and when; and the order that real data imposes on sweeps.
#include <gtest/gtest.h>

#include "base/machine.h"
#include "plan/planner.h"
#include "plan/program.h"
#include "plan/tile.h"

namespace skipper {
namespace {

Program planned(std::string const& problem) {
  return planner(parse_problem(problem), machine("h200")).front().program;
}

/// Two sweeps over 8 x 16 reals: X in pairs, then Y over the nine numbers of each row.
Program two_sweeps() {
  return parse_program(
      "r2c f32 forward 8x16\n"
      "{X(1,8,1,8,no-tw)} with Y on block tile 512B segments 512B/576B in -> work [Y X*]\n"
      "{Y(1,8,1,8,no-tw)} with X* on block tile 576B segments 576B/576B work -> out\n");
}

TEST(RealAxis, IsAStoredIndexBeforeAndAfterItsTransform) {
  Program const program = two_sweeps();
  auto const extents = [](std::vector<Piece> const& pieces) {
    std::vector<Index> list;
    for (Piece const& p : pieces) list.push_back(p.extent);
    return list;
  };
  EXPECT_EQ(extents(digits_before(program, 0)), (std::vector<Index>{16, 8}));
  EXPECT_EQ(extents(sweep_digits(program, 0)), (std::vector<Index>{8, 8}));
  EXPECT_EQ(extents(digits_before(program, 1)), (std::vector<Index>{9, 8}));
  EXPECT_EQ(extents(digits_before(program, 2)), (std::vector<Index>{9, 8}));
  EXPECT_EQ(work_bytes(program), 9 * 8 * 8);
  EXPECT_EQ(program_scale(program), 0.5);
  EXPECT_TRUE(has_hermitian_split(program, 0));
  EXPECT_FALSE(has_hermitian_split(program, 1));
}

TEST(RealAxis, HasRowsOfWholeSectorsBetweenSweeps) {
  std::string const sweeps =
      "{X(1,64,1,64,no-tw)} with Y on block tile 4KB segments 4KB/520B in -> work [Y X*]\n"
      "{Y(1,8,1,8,no-tw)} with X*%16 on block tile 1KB segments 128B/128B work -> out\n";
  Program const apart = parse_program("r2c f32 forward 8x128\n" + sweeps);
  EXPECT_EQ(places_between(apart, 1), 8 * 68);  // 65 numbers, and three that nobody reads
  EXPECT_EQ(work_bytes(apart), 8 * 68 * 8);
  EXPECT_FALSE(keeps_within_output(apart, 0));
  Program const in_place = planned("r2c f32 forward 8x128 in-place");
  for (int b = 1; b < int(in_place.sweeps.size()); ++b) EXPECT_EQ(places_between(in_place, b) % 65, 0);
}

TEST(RealAxis, IsCutByColumnsOfWhichHalfIsKept) {
  Program const forward = parse_program(
      "r2c f32 forward 256\n"
      "{X(16,16,16,256,tw)} with X2/2%4 on block tile 512B segments 32B/64B in -> work [X1 X2]\n"
      "{X(16,16,1,16,no-tw)} with X1%4 on block tile 512B segments 512B/32B work -> out\n");
  ASSERT_TRUE(columns_of(forward, 0));
  EXPECT_EQ(columns_of(forward, 0)->half, (DigitKey{0, 0}));
  EXPECT_EQ(columns_of(forward, 0)->pair, (DigitKey{0, 1}));
  EXPECT_EQ(extent_of(forward, {0, 0}), 9);
  EXPECT_EQ(work_bytes(forward), 9 * 16 * 8);
  EXPECT_EQ(program_scale(forward), 0.5);
  EXPECT_TRUE(has_hermitian_split(forward, 0));
  EXPECT_FALSE(has_hermitian_split(forward, 1));
  Tile const tile = tile_of(forward, 0);
  EXPECT_TRUE(tile.read_pairs);
  EXPECT_EQ(tile.transformed[0].write, (std::vector<skipper::Run>{{1, 8, 16}, {8, 2, 1}}));
  Program const back = planned("c2r f32 inverse 1048576 batch 64");
  ASSERT_TRUE(columns_of(back, 0));
  EXPECT_EQ(columns_of(back, 0)->half, (DigitKey{0, 1}));
  EXPECT_TRUE(has_hermitian_split(back, 1));
  EXPECT_FALSE(columns_of(parse_program("r2c f32 forward 45\n{X(9,5,9,45,tw)} {X(5,9,1,9,no-tw)}"), 0));
}

TEST(RealAxis, TellsWhereDataIsReal) {
  Program const forward = two_sweeps();
  EXPECT_TRUE(real_before(forward, 0));
  EXPECT_FALSE(real_before(forward, 1));
  Program const cosines = planned("r2c f32 forward 8x16 kinds dct2,fourier");
  ASSERT_EQ(cosines.sweeps.size(), 2u);
  EXPECT_TRUE(real_before(cosines, 1));
  EXPECT_FALSE(real_before(cosines, 2));
  Program const back = planned("c2r f32 inverse 8x16 kinds dct2,fourier");
  EXPECT_FALSE(real_before(back, 0));
  EXPECT_TRUE(real_before(back, 1));
  EXPECT_TRUE(real_before(back, 2));
}

TEST(RealAxis, MovesAlignedPairsAsComplexNumbers) {
  Tile const aligned = tile_of(planned("r2c f32 forward 16 batch 3"), 0);
  EXPECT_TRUE(aligned.read_pairs);
  EXPECT_EQ(aligned.read_bytes, 8);
  Tile const odd = tile_of(planned("r2c f32 forward 16 batch 3 in 17/1"), 0);
  EXPECT_FALSE(odd.read_pairs);
  EXPECT_EQ(odd.read_bytes, 4);
  EXPECT_TRUE(tile_of(planned("c2r f32 inverse 16 batch 3"), 0).write_pairs);
}

/// Before an axis that comes last, and after one that comes first, what it has is complex numbers to all.
TEST(RealAxis, IsPairsToOtherSweeps) {
  Program const there = parse_program("r2c f32 forward 8x16\n{Y(1,8,1,8,no-tw)} {X(1,8,1,8,no-tw)}");
  EXPECT_TRUE(is_packed_real(there));
  EXPECT_FALSE(has_conjugate_rows(there, 0));
  EXPECT_TRUE(has_conjugate_rows(there, 1));
  EXPECT_FALSE(real_before(there, 0));
  EXPECT_EQ(bytes_before(there, 0), 8);
  for (int b : {0, 1}) EXPECT_EQ(digits_before(there, b).front(), (Piece{{0, 0}, 1, 8})) << b;
  EXPECT_EQ(digits_before(there, 2).front(), (Piece{{0, stored_after}, 1, 9}));
  EXPECT_EQ(tile_count(tile_of(there, 1)), 8 / 2 + 1);
  Program const back = parse_program("c2r f32 inverse 8x16\n{X(1,8,1,8,no-tw)} {Y(1,8,1,8,no-tw)}");
  EXPECT_TRUE(has_conjugate_rows(back, 0));
  EXPECT_EQ(digits_before(back, 0).front(), (Piece{{0, stored_before}, 1, 9}));
  EXPECT_EQ(digits_before(back, 2).front(), (Piece{{0, 0}, 1, 8}));
  EXPECT_FALSE(is_packed_real(planned("r2c f32 forward 8x16")));
}

TEST(RealAxis, HasItsPlaceInTheOrderOfSweeps) {
  auto const refused = [](std::string const& text, std::string const& word) {
    try {
      (void)parse_program(text);
      ADD_FAILURE() << "accepted " << text;
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused("r2c f32 forward 4x8x16\n{Y(1,8,1,8,no-tw)} {X(1,8,1,8,no-tw)} {Z(1,4,1,4,no-tw)}", "comes first");
  refused("c2r f32 inverse 4x8x16\n{Z(1,4,1,4,no-tw)} {X(1,8,1,8,no-tw)} {Y(1,8,1,8,no-tw)}", "comes last");
  refused("r2c f32 forward 8x16 in 17,1\n{Y(1,8,1,8,no-tw)} {X(1,8,1,8,no-tw)}", "pairs of reals");
  refused("c2r f32 inverse 8x16\n{Y(1,8,1,8,no-tw), X(1,16,1,16,no-tw)}", "after all others");
  refused("r2r f32 forward 8x16 kinds dct2,dct2\n{X(1,8,1,8,no-tw), Y(1,4,1,4,no-tw)}", "of its own");
  refused("r2r f32 forward 60x8 kinds dst4,dct2\n{Y(15,2,15,30,tw)} {X(1,4,1,4,no-tw)} {Y(2,15,1,15,no-tw)}",
          "between the parts of Y");
  refused("r2c f32 forward 16\n{X(2,4,2,8,tw)} {X(4,2,1,2,no-tw)}", "cannot be cut");
  refused("r2c f32 forward 16\n{X(1,4,1,4,no-tw)}", "do not multiply");
  refused("r2c f32 forward 8x16\n{X(4,4,4,16,tw)} {X(4,4,1,4,no-tw), Y(1,8,1,8,no-tw)}", "before all others");
  std::string const
      cut =
          "r2c f32 forward 256\n"
          "{X(16,16,16,256,tw)} with X2%8 on block tile 1KB segments 32B/64B in -> work ",
      last = "\n{X(16,16,1,16,no-tw)} with X1%4 on block tile 512B segments 512B/32B work -> out\n";
  refused(cut + "[X1 X2]" + last, "parts two columns");
  refused(cut + "[X1/3 X2 X1%3]" + last, "half kept");
}

}  // namespace
}  // namespace skipper
