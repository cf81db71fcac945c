// Fused inverses as values: the way back splits the way there, the fused inverse stays where it reads, and what cannot turn round says so.
#include "plan/fused_inverse.h"

#include <gtest/gtest.h>

#include "plan/counts.h"
#include "plan/tile.h"

namespace skipper {
namespace {

ConvolutionSides convolution_sides(std::string const& problem) {
  Problem there = parse_problem(problem), back = there;
  back.direction = Direction::inverse;
  if (there.kind == Kind::r2c) back.kind = Kind::c2r;
  return {there, dense_layout(back)};
}

FusedInverse best(std::string const& problem) {
  return fused_inverses(convolution_sides(problem), Factors::shared, machine("h200")).front();
}

TEST(FusedInverses, OneSweepWhereTheTransformIsOne) {
  for (char const* problem :
       {"c2c f32 forward 4096 batch 10", "c2c f64 forward 32x32", "r2c f32 forward 1000",
        "c2c f32 forward 256x256 batch 2048", "c2c f32 forward 32x32x32 batch 4096"}) {
    FusedInverse const fused_inverse = best(problem);
    EXPECT_EQ(fused_inverse.forward.sweeps.size(), 1u) << text(fused_inverse);
    EXPECT_FALSE(fused_inverse.inverse) << text(fused_inverse);
  }
}

TEST(FusedInverses, ThreeSweepsWhereItIsTwo) {
  for (char const* problem : {"c2c f32 forward 512x512 batch 128", "c2c f32 forward 128x128x128 batch 16",
                              "r2c f32 forward 256x256 batch 512", "r2c f32 forward 128x128x128 batch 16"}) {
    FusedInverse const fused_inverse = best(problem);
    SCOPED_TRACE(text(fused_inverse));
    ASSERT_EQ(fused_inverse.forward.sweeps.size(), 2u);
    ASSERT_TRUE(fused_inverse.inverse);
    EXPECT_TRUE(writes_where_it_reads(fused_inverse.forward, 1)) << "the fused inverse writes where it reads";
    EXPECT_EQ(fused_inverse.forward.sweeps[1].to, fused_inverse.forward.sweeps[1].from);
    EXPECT_EQ(fused_inverse.inverse->sweeps[1].from, fused_inverse.forward.sweeps[1].to);
    EXPECT_EQ(fused_inverse.inverse->sweeps[1].to, Buffer::out);
    Tile const first = tile_of(fused_inverse.forward, 0), last = tile_of(*fused_inverse.inverse, 1);
    EXPECT_EQ(read_segment(first), write_segment(last));
    EXPECT_EQ(write_segment(first), read_segment(last));
  }
}

/// c2r of an odd length begins after all other axes, so r2c of it shares no sweep with another axis.
TEST(FusedInverses, OfOddRealAxesGoBack) {
  int several = 0;
  for (char const* problem : {"r2c f32 forward 32x64x3", "r2c f32 forward 300x5", "r2c f32 forward 64x64x15",
                              "r2c f64 forward 128x81 batch 3"})
    for (FusedInverse const& fused_inverse :
         fused_inverses(convolution_sides(problem), Factors::shared, machine("h200"))) {
      if (!fused_inverse.inverse) continue;
      Program back = *fused_inverse.inverse;
      back.sweeps.front().from = Buffer::in, back.sweeps.front().to = back.sweeps[1].from;
      EXPECT_NO_THROW(check(back)) << text(fused_inverse);
      ++several;
    }
  EXPECT_GT(several, 0);
}

TEST(FusedInverses, InClustersHandOverWholeSectorsBothWays) {
  Machine const h200 = machine("h200");
  for (char const* problem : {"c2c f32 forward 256x256 batch 2048", "c2c f32 forward 65536 batch 2048"}) {
    FusedInverse const fused_inverse = best(problem);
    SCOPED_TRACE(text(fused_inverse));
    kernel::SweepSpec const spec = lower(fused_inverse.forward, 0, h200).spec;
    int remote = 0;
    for (int i = 1; i < spec.steps; ++i) {
      if (!spec.step[i].exchange.remote) continue;
      ++remote;
      SectorCount const stored = exchange_sectors(spec, i, element_bytes(fused_inverse.forward.problem));
      EXPECT_EQ(stored.sectors, stored.ideal) << "step " << i;
    }
    EXPECT_EQ(remote, 2);
  }
}

TEST(FusedInverses, RealDataMovesHalfTheBytesWhereItCan) {
  FusedInverse const fused_inverse = best("r2c f32 forward 256x256 batch 512");
  EXPECT_FALSE(takes_whole_spectrum(fused_inverse));
  EXPECT_TRUE(takes_whole_spectrum(best("r2c f32 forward 1000")));
}

TEST(FusedInverses, FactorsFakeDriverTheOrderOfTheKernel) {
  Machine const h200 = machine("h200");
  FusedInverse const fused_inverse = best("c2c f32 forward 64 batch 3");
  Lowered const lowered = lower(fused_inverse.forward, 0, h200);
  std::vector<std::complex<double>> spectrum;
  for (int k = 0; k < 64; ++k) spectrum.push_back({double(k), 0});
  auto const found = factors(fused_inverse, lowered, spectrum);
  ASSERT_EQ(found.size(), 64u) << "the batch shares them";
  std::vector<bool> seen(64);
  for (auto const& f : found) seen[std::size_t(f.real())] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 64);
}

TEST(FusedInverses, PrimesThatAreConvolvedThemselvesAreRefused) {
  try {
    best("c2c f32 forward 1009");
    FAIL() << "accepted";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "shape");
    EXPECT_NE(std::string(e.what()).find("use mode full"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skipper
