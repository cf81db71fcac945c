// Our cosine and sine kinds are those of FFTW, by name and by value, and how it planned is known. All of it needs FFTW, so that the
// file counts as skipped where that is not installed.
#include "peers.h"

#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <cmath>
#include <filesystem>

#include "base/kinds.h"
#include "peer_planning.h"

namespace skipper::cli {
namespace {

TEST(Peers, FftwsRealKindsAreOurs) {
  if (peer_versions().empty()) GTEST_SKIP() << "FFTW is not installed here";
  for (AxisKind kind : real_axis_kinds)
    for (std::int64_t n : {2, 5, 8, 17, 33}) {
      Problem const p = r2r({n, 6}, {kind, AxisKind::dst2}, 2, Precision::f64);
      std::vector<double> in(std::size_t(2 * n * 6)), theirs(in.size()), ours(in.size());
      auto const peers = plan_peers({"fftw"}, p, in.data(), theirs.data(), 1, 0);
      ASSERT_EQ(peers.size(), 1u) << text(p);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(double(3 * i + 1));
      peers[0].execute();
      PlanSettings settings;
      settings.device = Device("cpu");
      Plan(p, settings).execute(in.data(), ours.data());
      for (std::size_t i = 0; i < in.size(); ++i)
        ASSERT_NEAR(ours[i], theirs[i], 1e-12) << text(p) << " at " << i;
    }
}

TEST(Peers, PlansCutShortAreSaidToBe) {
  if (peer_versions().empty()) GTEST_SKIP() << "FFTW is not installed here";
  Problem const p = c2c({3, 4}, 1, Precision::f64);
  std::vector<double> in(24), out(24);
  auto const held_back = plan_peers({"fftw"}, p, in.data(), out.data(), 1, 0);
  ASSERT_EQ(held_back.size(), 1u);
  EXPECT_FALSE(held_back[0].measured);
  auto const free = plan_peers({"fftw"}, p, in.data(), out.data(), 1, -1);
  EXPECT_TRUE(free.at(0).measured);
  auto const again = plan_peers({"fftw"}, p, in.data(), out.data(), 1, 0);
  EXPECT_TRUE(again.at(0).measured) << "what FFTW knows takes no time";
}

TEST(Peers, WhatPartsHaveLearntIsReadTogether) {
  if (peer_versions().empty()) GTEST_SKIP() << "FFTW is not installed here";
  std::filesystem::path const folder = std::filesystem::path(::testing::TempDir()) / "skipper_wisdom";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  BenchSettings settings;
  settings.peers = {"fftw"};
  settings.plan.cpu.threads = 1;
  settings.peer_planning_seconds = 0;
  settings.wisdom = (folder / "w.0").string();
  EXPECT_EQ(plan_ahead({c2c({10}), c2c({14}), c2c({15}, 1, Precision::f64)}, settings), 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "w.0.f32"));
  EXPECT_TRUE(std::filesystem::exists(folder / "w.0.f64"));
  load_wisdom((folder / "w").string());
  settings.wisdom = (folder / "w").string();
  Report report;
  report.versions = {{"fftw", "3"}};
  note_planning(report, settings);
  EXPECT_EQ(report.versions[0].second, "3 (FFTW_MEASURE, with wisdom from earlier planning)");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace skipper::cli
