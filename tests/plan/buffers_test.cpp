// Buffers: the input is never written out of place, a sweep shares its buffer only where its tiles write just what
// they read, and no chain with less workspace exists.
#include <gtest/gtest.h>
#include <skipper/error.h>

#include <array>
#include <optional>

#include "plan/brute_force.h"
#include "plan/planner.h"
#include "plan/random_program.h"
#include "plan/tile.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// "in -> work -> out"
std::string chain(Program const& program) {
  std::string text{name(program.sweeps.front().from)};
  for (Sweep const& s : program.sweeps) text += " -> " + std::string(name(s.to));
  return text;
}

/// The buffers of the papers' style of program: bare sweeps, layouts in place.
std::string chain_of(std::string const& bare) { return chain(parse_program(bare)); }

std::string chain_of(std::string const& problem, PlanOptions options) {
  return chain(planner(parse_problem(problem), machine("h200"), options).front().program);
}

constexpr PlanOptions block_tier{.clusters = false, .l2_blocks = false};

TEST(Buffers, OneSweepNeedsNoWorkspace) {
  EXPECT_EQ(chain_of("c2c f32 forward 4096 batch 900", block_tier), "in -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 4096 batch 900 in-place", block_tier), "in -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 64x64 batch 500 in 70,1/4480 out 80,1/5120", block_tier), "in -> out");
}

TEST(Buffers, SweepsOfWholeAxesStayInTheOutput) {
  std::string const bare = "\n{X(1,64,1,64,no-tw)} {Y(1,64,1,64,no-tw)} {Z(1,64,1,64,no-tw)}";
  EXPECT_EQ(chain_of("c2c f32 forward 64x64x64" + bare), "in -> out -> out -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 64x64x64 in-place" + bare), "in -> out -> out -> out");
}

TEST(Buffers, AnAxisCutInTwoNeedsWorkspaceOnlyForTheNaturalOrder) {
  std::string const bare = "\n{X(256,256,256,65536,tw)} {X(256,256,1,256,no-tw)}";
  EXPECT_EQ(chain_of("c2c f32 forward 65536" + bare), "in -> work -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 65536 in-place" + bare), "in -> work -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 65536 reversed" + bare), "in -> out -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 65536 in-place reversed" + bare), "in -> out -> out");
}

TEST(Buffers, AnOutputWithGapsHoldsNoIntermediateResult) {
  std::string const bare = "\n{X(1,64,1,64,no-tw)} {Y(1,64,1,64,no-tw)}";
  EXPECT_EQ(chain_of("c2c f32 forward 64x64 in 66,1 out 64,1" + bare), "in -> out -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 64x64 in 64,1 out 66,1" + bare), "in -> work -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 64x64 in 66,1 out 66,1 in-place" + bare), "in -> work -> out");
  EXPECT_EQ(chain_of("c2c f32 forward 64x64 in 64,1 out 1,64" + bare), "in -> work -> out");
}

TEST(Buffers, RowsOfOneRealStayWhereTheyAre) {
  for (char const* const problem : {"r2c f32 forward 64x1 batch 50 in-place", "r2c f64 forward 1 in-place",
                                    "c2r f32 inverse 64x1 batch 50 in-place", "c2r f16 inverse 1 in-place"})
    EXPECT_EQ(chain_of(problem, block_tier), "in -> out") << problem;
}

TEST(Buffers, ThreeSweepsThatAllMoveDataInPlaceNeedTwoWorkspaces) {
  Program program = parse_program(
      "c2c f32 forward 8x8x8 in-place\n{X(1,8,1,8,no-tw)} {Y(1,8,1,8,no-tw)} {Z(1,8,1,8,no-tw)}");
  auto const piece = [](int d) { return Piece{{d, 0}, 1, 8}; };
  for (Sweep& s : program.sweeps) s.with.clear();
  program.sweeps[0].layout = {piece(0), piece(1), piece(2)};
  program.sweeps[1].layout = {piece(1), piece(2), piece(0)};
  assign_buffers(program);
  EXPECT_EQ(chain(program), "in -> work -> work2 -> out");
  program.problem.placement = Placement::out_of_place;
  assign_buffers(program);
  EXPECT_EQ(chain(program), "in -> out -> work -> out");
}

TEST(Buffers, ProgramsThatHaveNoneGiveWayToOthers) {  // as L2 blocks, where rows are padded
  for (char const* const problem :
       {"r2c f32 forward 65536 batch 550 in-place", "c2r f32 inverse 524288 batch 55 in-place"})
    EXPECT_NO_THROW(planner(parse_problem(problem), machine("h200"))) << problem;
}

// Against brute force.

int workspaces(std::vector<Buffer> const& to) {
  int most = 0;
  for (Buffer b : to) most = std::max(most, b == Buffer::work ? 1 : b == Buffer::work2 ? 2 : 0);
  return most;
}

/// The fewest workspaces of all chains that are safe, judged by the addresses themselves.
std::optional<int> fewest_workspaces(Program const& program) {
  int const m = int(program.sweeps.size());
  bool const in_place = program.problem.placement == Placement::in_place;
  std::vector<bool> stays;
  for (int s = 0; s < m; ++s) {
    auto const tiles = tiles_by_brute_force(program, s);
    stays.push_back(
        std::all_of(tiles.begin(), tiles.end(), [](Addresses const& t) { return t.read == t.write; }));
  }
  Program ends = program;
  std::vector<Index> places;
  for (Addresses const& t : tiles_by_brute_force(ends, m - 1))
    places.insert(places.end(), t.write.begin(), t.write.end());
  bool const dense = *std::max_element(places.begin(), places.end()) + 1 == points(program.problem);

  std::optional<int> fewest;
  std::vector<Buffer> to(std::size_t(m), Buffer::out);
  Index chains = 1;
  for (int s = 0; s < m; ++s) chains *= 3;
  for (Index code = 0; code < chains; ++code) {
    Index rest = code;
    for (Buffer& b : to)
      b = std::array{Buffer::out, Buffer::work, Buffer::work2}[std::size_t(rest % 3)], rest /= 3;
    bool safe = to.back() == Buffer::out;
    for (int s = 0; s < m; ++s) {
      Buffer const from = s          ? to[std::size_t(s - 1)]
                          : in_place ? Buffer::out
                                     : Buffer::in,
                   here = to[std::size_t(s)];
      safe = safe && (from != here || stays[std::size_t(s)]) && (here != Buffer::out || s + 1 == m || dense);
    }
    if (safe && (!fewest || workspaces(to) < *fewest)) fewest = workspaces(to);
  }
  return fewest;
}

TEST(Buffers, OfRandomProgramsAreSafeAndFew) {
  std::array<int, 3> seen{};
  for (unsigned seed = 0; seed < (quick() ? 120u : 400u); ++seed) {
    RandomProgram random(seed);
    Program const program = random(Index(1) << (2 + random.random().below(8)));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text(program));
    EXPECT_EQ(program.sweeps.front().from, Buffer::in);
    EXPECT_EQ(program.sweeps.back().to, Buffer::out);
    std::vector<Buffer> to;
    for (std::size_t s = 0; s < program.sweeps.size(); ++s) {
      EXPECT_NE(program.sweeps[s].to, Buffer::in) << "the input must be preserved";
      EXPECT_TRUE(s == 0 || program.sweeps[s].from == program.sweeps[s - 1].to);
      to.push_back(program.sweeps[s].to);
    }
    auto const fewest = fewest_workspaces(program);
    ASSERT_TRUE(fewest);
    EXPECT_EQ(workspaces(to), *fewest);
    ++seen[std::size_t(*fewest)];
  }
  EXPECT_GT(seen[0], 20);
  EXPECT_GT(seen[1], 20);
  EXPECT_GT(seen[2], 2);
}

TEST(Buffers, ThatAreUnsafeDoNotPassTheCheck) {
  int refused = 0;
  for (unsigned seed = 0; seed < (quick() ? 60u : 200u); ++seed) {
    RandomProgram random(seed);
    Program program = random(256);
    for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s)
      program.sweeps[s].to = program.sweeps[s + 1].from = Buffer::out;
    bool accepted = true;
    try {
      check(program);
    } catch (Error const&) {
      accepted = false;
    }
    auto const fewest = fewest_workspaces(program);
    EXPECT_EQ(accepted, fewest && *fewest == 0) << "seed " << seed << "\n" << text(program);
    refused += !accepted;
  }
  EXPECT_GT(refused, 20);
}

TEST(Buffers, ThreadsThatDoNotWaitStayWhereTheyReadOnly) {
  Program const program = parse_program(
      "c2c f32 forward 2x66x3\n"
      "{X(1,3,1,3,no-tw), Y(1,66,1,66,no-tw)} on block in -> work [Y/6 Z Y%6 X]\n"
      "{Z(1,2,1,2,no-tw)} with X Y on thread work -> out");
  EXPECT_FALSE(writes_where_it_reads(program, 1)) << "the tile writes where it reads, but its threads do not";
}

}  // namespace
}  // namespace skipper::testing
