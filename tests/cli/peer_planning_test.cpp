// How a list is cut for peers that plan it in several processes.
#include "peer_planning.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace skipper::cli {
namespace {

TEST(PeerPlanning, PartsOfAListHoldItWhole) {
  std::vector<Case> cases;
  for (char const* const line : {"c2c f32 forward 4096", "c2c f32 forward 8", "c2c f64 forward 64x64",
                                 "c2c f32 forward 16", "r2c f32 forward 32"})
    cases.push_back({line, parse_problem(line), ""});
  cases.push_back({"not a problem", {}, "not understood"});
  auto const texts = [&](int part) {
    std::vector<std::string> result;
    for (Problem const& p : part_of(cases, part, 2)) result.push_back(text(p));
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(0), (Texts{"c2c f32 forward 8", "r2c f32 forward 32", "c2c f64 forward 64x64"}));
  EXPECT_EQ(texts(1), (Texts{"c2c f32 forward 16", "c2c f32 forward 4096"}));
}

}  // namespace
}  // namespace skipper::cli
