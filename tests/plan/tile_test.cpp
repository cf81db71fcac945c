// Tiles against brute force: what a tile reads and writes, how many there are, how long their segments are, whether
// a sweep may stay in its buffer, and what extend_tile() adds.
#include "plan/tile.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include "plan/brute_force.h"
#include "plan/random_program.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// A position in runs of one digit, or in carried pieces: all sums of coordinate x stride.
void add_run(std::vector<Index>& sums, Index extent, Index stride) {
  std::vector<Index> more;
  for (Index i = 0; i < extent; ++i)
    for (Index at : sums) more.push_back(at + i * stride);
  sums = std::move(more);
}

/// The tiles as the Tile itself describes them, guards of ragged digits included.
std::vector<Addresses> tiles_by_description(Tile const& tile) {
  std::vector<Index> read{0}, write{0};
  for (Transformed const& t : tile.transformed) {
    for (Run const& r : t.read) add_run(read, r.extent, r.stride);
    for (Run const& r : t.write) add_run(write, r.extent, r.stride);
  }
  std::vector<Carried> order = tile.carried;  // grid first, so that a tile's elements come together
  std::stable_sort(order.begin(), order.end(),
                   [](Carried const& a, Carried const& b) { return a.held < b.held; });
  std::map<std::vector<Index>, Addresses> tiles;
  std::vector<Index> count(order.size(), 0);
  for (;;) {
    std::map<DigitKey, Index> index;
    std::vector<Index> grid;
    Index from = 0, to = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      index[order[i].piece.digit] += count[i] * order[i].piece.unit;
      from += count[i] * order[i].read;
      to += count[i] * order[i].write;
      if (!order[i].held) grid.push_back(count[i]);
    }
    bool const inside = std::all_of(order.begin(), order.end(), [&](Carried const& c) {
      return !c.bound || index[c.piece.digit] < c.bound;
    });
    for (Index at : read)
      if (inside) tiles[grid].read.push_back(from + at);
    for (Index at : write)
      if (inside) tiles[grid].write.push_back(to + at);
    std::size_t i = 0;
    while (i < order.size() && ++count[i] == order[i].piece.extent) count[i++] = 0;
    if (i == order.size()) break;
  }
  std::vector<Addresses> list;
  for (auto& [grid, t] : tiles) {
    std::sort(t.read.begin(), t.read.end());
    std::sort(t.write.begin(), t.write.end());
    list.push_back(std::move(t));
  }
  return list;
}

Index contiguous(std::vector<Index> const& addresses) {
  std::size_t n = 1;
  while (n < addresses.size() && addresses[n] == addresses[n - 1] + 1) ++n;
  return Index(n);
}

/// Holds every answer about sweep s to what brute force finds. Repeated inputs have no segments to speak of.
void expect_tiles_right(Program const& program, int s) {
  Tile const tile = tile_of(program, s);
  auto tiles = tiles_by_brute_force(program, s);
  EXPECT_EQ(tile_count(tile), Index(tiles.size()));
  Index largest = 0, all = 0;
  bool same_places = true;
  for (Addresses const& t : tiles) {
    largest = std::max(largest, Index(t.read.size()));
    all += Index(t.read.size());
    same_places = same_places && t.read == t.write;
  }
  EXPECT_EQ(all, points(program.problem));
  EXPECT_EQ(tile_points(tile), largest);
  EXPECT_GE(tile_count(tile) * tile_points(tile), all);
  EXPECT_EQ(writes_where_it_reads(program, s), same_places);
  Addresses const& first = tiles.front();
  bool const repeated = std::adjacent_find(first.read.begin(), first.read.end()) != first.read.end();
  if (!repeated) {
    EXPECT_EQ(read_segment(tile), contiguous(first.read));
  }
  EXPECT_EQ(write_segment(tile), contiguous(first.write));
  auto described = tiles_by_description(tile);
  std::sort(tiles.begin(), tiles.end());
  std::sort(described.begin(), described.end());
  EXPECT_EQ(described, tiles);
}

void expect_tiles_right(std::string const& text_in) {
  Program const program = parse_program(text_in);
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    SCOPED_TRACE(text_in + "\nsweep " + std::to_string(s + 1));
    expect_tiles_right(program, s);
  }
}

TEST(Tile, OfAWholeTransformHoldsItAll) {
  expect_tiles_right("c2c f32 forward 64\n{X(1,64,1,64,no-tw)} on block in -> out");
  expect_tiles_right(
      "c2c f32 forward 4x6x5\n{X(1,5,1,5,no-tw), Y(1,6,1,6,no-tw), Z(1,4,1,4,no-tw)} on block in -> out");
}

TEST(Tile, CarriesPiecesOfOtherDigits) {
  expect_tiles_right(
      "c2c f32 forward 256\n{X(16,16,16,256,tw)} with X2%4 on block in -> work [X1/4 X2 X1%4]\n"
      "{X(16,16,1,16,no-tw)} with X1%4 on block work -> out");
  expect_tiles_right(
      "c2c f32 forward 8x8x8\n{X(1,8,1,8,no-tw)} with Z/2%2 Y%4 on block in -> work [Y/2 Z/4 X Z%4 Y%2]\n"
      "{Y(1,8,1,8,no-tw)} with X%2 on block work -> work2 [X/2 Y Z X%2]\n{Z(1,8,1,8,no-tw)} on block work2 "
      "-> out");
}

TEST(Tile, MayBeRagged) {
  expect_tiles_right("c2c f32 forward 8 batch 13\n{X(1,8,1,8,no-tw)} with B%4 on block in -> out");
  expect_tiles_right(
      "c2c f32 forward 10x8x7\n{Y(1,8,1,8,no-tw)} with X%3 Z%4 on block in -> work [Z Y X]\n"
      "{X(1,7,1,7,no-tw)} with Y%3 on block work -> work [Z Y X]\n{Z(1,10,1,10,no-tw)} on block work -> out");
  expect_tiles_right(
      "c2c f32 forward 8 batch 30 in 30/1 out 1/8\n{Y(1,8,1,8,no-tw)} with X%16 on block in -> out");
}

TEST(Tile, RefusesCutsThatItsLayoutsCannotFollow) {
  Program program = parse_program(
      "c2c f32 forward 12x8\n{X(1,8,1,8,no-tw)} on block in -> work [Y/4 X Y%4]\n{Y(1,12,1,12,no-tw)} on "
      "block work -> out");
  program.sweeps[0].with = {{{1, 0}, 1, 3}};
  EXPECT_THROW((void)tile_of(program, 0), Error);
  program.sweeps[0].with = {{{1, 0}, 1, 2}};
  EXPECT_NO_THROW((void)tile_of(program, 0));
}

TEST(Tile, OfRandomProgramsIsWhatBruteForceFinds) {
  int sweeps = 0, ragged = 0, in_place = 0;
  for (unsigned seed = 0; seed < (quick() ? 100u : 400u); ++seed) {
    RandomProgram random(seed);
    Program const program = random(Index(1) << (2 + random.random().below(9)));
    ASSERT_NO_THROW(check(program)) << "seed " << seed << ": the generator is at fault";
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text(program) + "sweep " + std::to_string(s + 1));
      expect_tiles_right(program, s);
      ++sweeps;
      for (Carried const& carried : tile_of(program, s).carried) ragged += carried.bound > 0;
      in_place += writes_where_it_reads(program, s);
    }
  }
  EXPECT_GT(sweeps, 200);
  EXPECT_GT(ragged, 20);
  EXPECT_GT(in_place, 50);
}

// extend_tile()

TEST(ExtendTile, ReachesSegmentsOnBothSidesWithinCapacity) {
  Program const bare = parse_program(
      "c2c f32 forward 65536\n{X(256,256,256,65536,tw)} on block in -> work [X1/16 X2 "
      "X1%16]\n{X(256,256,1,256,no-tw)} on block work -> out");
  for (Index segment : {1, 4, 8, 16, 32, 64})
    for (int s : {0, 1}) {
      Program program = bare;
      extend_tile(program, s, {segment, 1, 256 * 64});
      Tile const tile = tile_of(program, s);
      EXPECT_GE(read_segment(tile), segment) << text(program);
      EXPECT_GE(write_segment(tile), segment) << text(program);
      EXPECT_LE(tile_points(tile), 256 * 64) << text(program);
    }
}

TEST(ExtendTile, NeverGoesOverCapacity) {
  for (unsigned seed = 0; seed < (quick() ? 200u : 600u); ++seed) {
    RandomProgram random(seed);
    Program program = random(Index(1) << (2 + random.random().below(20)));
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      program.sweeps[std::size_t(s)].with.clear();
      Index const least = tile_points(tile_of(program, s)), capacity = least + random.random().below(5000);
      extend_tile(program, s, {1 + random.random().below(40), 1 + random.random().below(3000), capacity});
      EXPECT_LE(tile_points(tile_of(program, s)), capacity) << "seed " << seed << "\n" << text(program);
    }
    assign_buffers(program);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text(program));
    EXPECT_NO_THROW(check(program));
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(ExtendTile, FillsSmallTransformsUp) {
  for (Index n : {2, 3, 7, 11, 13, 16, 60})
    for (Index batch : {1, 5, 1000, 1001, 12201612, 19173961, 67108864}) {
      Program program = parse_program("{X(1," + std::to_string(n) + ",1," + std::to_string(n) + ",no-tw)}",
                                      c2c({n}, batch));
      program.sweeps[0].with.clear();
      extend_tile(program, 0, {16, 2048, 20480});
      Index const held = tile_points(tile_of(program, 0));
      EXPECT_LE(held, 20480);
      EXPECT_GE(4 * held, std::min<Index>(2048, n * batch)) << text(program);
    }
}

}  // namespace
}  // namespace skipper::testing
