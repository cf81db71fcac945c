// Stages of distributed programs: what is sent, exactly once, and arrives where it belongs.
#include <gtest/gtest.h>

#include <random>

#include "distributed/planner.h"
#include "distributed/round_trip.h"

namespace skipper::distributed {
namespace {

std::vector<bool> axes(Problem const& p, bool done) { return std::vector<bool>(p.axes.size(), done); }

Distribution slab_cut(Problem const& p, Index ranks, bool done) {
  std::vector<Index> const sizes = sizes_after(p, axes(p, done));
  return {sizes, slabs(sizes, int(ranks))};
}

/// Boxes of random cuts: the array is halved again and again, some ranks stay empty.
std::vector<Box> random_boxes(std::vector<Index> const& sizes, Index ranks, std::mt19937& random) {
  std::vector<Box> boxes{whole_box(sizes)};
  for (int tries = 0; tries < 100 && Index(boxes.size()) < ranks; ++tries) {
    std::size_t const which = random() % boxes.size(), d = random() % sizes.size();
    Box& box = boxes[which];
    if (box.size[d] < 2) continue;
    Index const at = 1 + Index(random() % std::uint64_t(box.size[d] - 1));
    Box other = box;
    other.first[d] += at;
    other.size[d] -= at;
    box.size[d] = at;
    boxes.push_back(other);
  }
  Box const empty{std::vector<Index>(sizes.size(), 0), std::vector<Index>(sizes.size(), 0)};
  while (Index(boxes.size()) < ranks) boxes.push_back(empty);
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

/// Every element of the next stage's boxes comes from exactly one rank.
void expect_complete(Program const& program) {
  for (std::size_t s = 0; s + 1 < program.stages.size(); ++s) {
    Distribution const from = cut_after(program, s), &to = program.stages[s + 1].cut;
    ASSERT_EQ(from.sizes(), to.sizes());
    std::vector<Index> received(std::size_t(program.ranks), 0);
    Index all = 0;
    for (Index r = 0; r < program.ranks; ++r) {
      Index sent = 0;
      to.meet(from.box(r), [&](Index peer, Box const& part) {
        EXPECT_EQ(intersection(part, from.box(r)), part);
        EXPECT_EQ(intersection(part, to.box(peer)), part);
        sent += volume(part);
        received[std::size_t(peer)] += volume(part);
      });
      EXPECT_EQ(sent, volume(from.box(r)));
      all += sent;
      Index counted = 0;
      to.meet_volumes(from.box(r), [&](Index, Index n) { counted += n; });
      EXPECT_EQ(counted, sent);
    }
    EXPECT_EQ(all, volume(whole_box(to.sizes())));
    for (Index r = 0; r < program.ranks; ++r) EXPECT_EQ(received[std::size_t(r)], volume(to.box(r)));
  }
}

TEST(DistributedProgram, SlabsOfACubeTakeOneExchangeWithAnyOutputAndTwoWithout) {
  Problem const p = c2c({512, 512, 512});
  Planned const any = plan_stages({p, slab_cut(p, 8, false), {}, links("nvlink"), 4e12, 0});
  EXPECT_EQ(any.program.exchanges(), 1);
  EXPECT_EQ(any.program.stages[0].axes, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(any.program.stages[1].axes, (std::vector<std::size_t>{0}));
  Planned const back =
      plan_stages({p, slab_cut(p, 8, false), slab_cut(p, 8, true), links("nvlink"), 4e12, 0});
  EXPECT_EQ(back.program.exchanges(), 2);
  EXPECT_EQ(
      any.stages[0].sent_bytes,
      512 * 512 * 512 / 8 * 7);  // bytes: 8 an element, an eighth of them here,  // all but an eighth stays
  EXPECT_EQ(any.stages[0].messages, 7);
}

TEST(DistributedProgram, MoreRanksThanPlanesTakePencils) {
  Problem const p = c2c({16, 256, 256});
  Planned const planned = plan_stages({p, slab_cut(p, 64, false), {}, links("nvlink"), 4e12, 0});
  bool pencil = false;
  for (Stage const& stage : planned.program.stages) pencil = pencil || !is_empty(stage.cut.box(63));
  EXPECT_TRUE(pencil) << text(planned.program);
}

TEST(DistributedProgram, RandomProgramsSendEachElementOnce) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<Index> shape;
    std::size_t const rank = 1 + random() % 3;
    for (std::size_t d = 0; d < rank; ++d) shape.push_back(1 + Index(random() % 17));
    Index const batch = 1 + Index(random() % 3);
    int const kind = int(random() % 3);
    Problem const p = kind == 0 ? c2c(shape, batch) : kind == 1 ? r2c(shape, batch) : c2r(shape, batch);
    Index const ranks = 1 + Index(random() % 16);
    std::vector<Index> const sizes = sizes_after(p, axes(p, false)), done = sizes_after(p, axes(p, true));
    Distribution const in(sizes, random_boxes(sizes, ranks, random));
    std::optional<Distribution> out;
    if (random() % 2) out = Distribution(done, random_boxes(done, ranks, random));
    SCOPED_TRACE(text(p) + " over " + std::to_string(ranks));
    Planned const planned = plan_stages({p, in, out, links("host"), 1e10, 0});
    ASSERT_NO_THROW(check(planned.program)) << text(planned.program);
    EXPECT_EQ(planned.program.stages.front().cut, in);
    if (out) {
      EXPECT_EQ(cut_after(planned.program, planned.program.stages.size() - 1), *out);
    }
    expect_complete(planned.program);
    EXPECT_EQ(parse_program(text(planned.program)), planned.program) << text(planned.program);
  }
}

TEST(DistributedProgram, RoundTripsOfRandomBoxesAreCompleteAndReadBack) {
  std::mt19937 random(17);
  for (int i = 0; i < 150; ++i) {
    std::vector<Index> shape;
    std::vector<AxisKind> kinds;
    for (std::size_t d = 0, n = 1 + random() % 3; d < n; ++d) {
      shape.push_back(1 + Index(random() % 20));
      kinds.push_back(random() % 2 ? AxisKind::dct2 : AxisKind::dst4);
    }
    Problem p = random() % 2 ? r2c(shape) : r2r(shape, kinds);
    for (std::size_t a = 0; p.kind == Kind::r2c && a + 1 < shape.size();
         ++a)  // cosine axes beside Fourier ones
      if (random() % 2) p.axes[a].kind = kinds[a];
    Index const ranks = 1 + Index(random() % 12);
    std::optional<std::size_t> last;
    if (std::size_t const a = random() % shape.size(); p.axes[a].kind != AxisKind::fourier) last = a;
    Distribution const in(shape, random_boxes(shape, ranks, random));
    std::optional<Distribution> out;
    if (random() % 2) out = Distribution(shape, random_boxes(shape, ranks, random));
    SCOPED_TRACE(text(p) + " over " + std::to_string(ranks));
    Program const program = plan_round_trip({p, last, in, out, links("host"), 1e10, 0}).program;
    ASSERT_NO_THROW(check(program)) << text(program);
    EXPECT_TRUE(program.is_round_trip());
    EXPECT_EQ(program.stages.front().cut, in);
    if (out) {
      EXPECT_EQ(cut_after(program, program.stages.size() - 1), *out);
    }
    Stage const& middle = program.stages[middle_stage(program)];
    if (last) {
      EXPECT_NE(std::find(middle.axes.begin(), middle.axes.end(), *last), middle.axes.end()) << text(program);
      EXPECT_NE(std::find(middle.back.begin(), middle.back.end(), *last), middle.back.end()) << text(program);
    }
    expect_complete(program);
    EXPECT_EQ(parse_program(text(program)), program) << text(program);
  }
}

TEST(DistributedProgram, ThousandsOfRanksNeedNoListOfBoxes) {
  Problem const p = c2c({4096, 4096, 4096});
  Planned const planned = plan_stages({p, slab_cut(p, 4096, false), {}, links("nvlink"), 4e12, 0});
  EXPECT_LT(text(planned.program).size(), 400u) << text(planned.program);
}

TEST(DistributedProgram, TextsThatAreWrongAreRefused) {
  std::string const good = "c2c f32 forward 8x8 over 2 ranks\ngrid 2x1 axes 1\ngrid 1x2 axes 0";
  EXPECT_EQ(text(parse_program(good)), good);
  for (char const* bad : {"", "c2c f32 forward 8x8", "c2c f32 forward 8x8 over 0 ranks\ngrid 1x1 axes 0,1",
                          "c2c f32 forward 8x8 over 2 ranks\ngrid 2x1 axes 0,1",
                          "c2c f32 forward 8x8 over 2 ranks\ngrid 2x2 axes 1\ngrid 1x2 axes 0",
                          "c2c f32 forward 8x8 over 2 ranks\ngrid 2x1 axes 1",
                          "c2c f32 forward 8x8 over 2 ranks\ngrid 2x1 axes 1\ngrid 1x2 axes 0,1",
                          "c2c f32 forward 8x8 over 2 ranks\nboxes 0+4,0+8;3+5,0+8 axes 1\ngrid 1x2 axes 0",
                          "c2c f32 forward 8x8 over 2 ranks in 0 pieces\ngrid 2x1 axes 1\ngrid 1x2 axes 0",
                          "r2c f32 8x8 over 2 ranks\ngrid 1x2 axes 0\ngrid 2x1 axes 1"})
    EXPECT_THROW(parse_program(bad), Error) << bad;
}

TEST(Links, TextsReadBack) {
  for (std::string const& name : links_names()) EXPECT_EQ(links(text(links(name))), links(name));
  for (char const* bad :
       {"", "ethernet", "links x ranks_per_node 0 node 1 1 network 1 1",
        "links x ranks_per_node 1 node -1 1 network 1 1", "links x ranks_per_node 1 node 1 nan network 1 1",
        "links x ranks_per_node 1 node 1 1 network 1 1 more"})
    EXPECT_THROW(links(bad), Error) << bad;
}

TEST(Boxes, WhatDoesNotCoverIsRefusedByName) {
  std::vector<Index> const sizes{4, 6};
  auto const message = [&](std::vector<Box> const& boxes) -> std::string {
    try {
      check_cover(boxes, sizes, "in");
    } catch (Error const& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({{{0, 0}, {2, 6}}, {{2, 0}, {2, 6}}}), "");
  EXPECT_NE(message({{{0, 0}, {3, 6}}, {{2, 0}, {2, 6}}}).find("ranks 0 and 1 share 2+1,0+6"),
            std::string::npos);
  EXPECT_NE(message({{{0, 0}, {2, 6}}, {{2, 0}, {1, 6}}}).find("18 of 24"), std::string::npos);
  EXPECT_NE(message({{{0, 0}, {2, 6}}, {{2, 0}, {2, 7}}}).find("in[1]"), std::string::npos);
  EXPECT_NE(message({{{0}, {4}}}).find("dimensions"), std::string::npos);
}

}  // namespace
}  // namespace skipper::distributed
