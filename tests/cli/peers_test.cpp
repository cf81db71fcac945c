// Our cosine and sine kinds are those of FFTW, by name and by value. Skipped where FFTW is not installed.
#include "peers.h"

#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <cmath>

namespace skipper::cli {
namespace {

TEST(Peers, FftwsRealKindsAreOurs) {
  if (peer_versions().empty()) GTEST_SKIP() << "FFTW is not installed here";
  for (int kind = int(AxisKind::dct1); kind <= int(AxisKind::dst4); ++kind)
    for (std::int64_t n : {2, 5, 8, 17, 33}) {
      Problem const p = r2r({n, 6}, {AxisKind(kind), AxisKind::dst2}, 2, Precision::f64);
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

}  // namespace
}  // namespace skipper::cli
