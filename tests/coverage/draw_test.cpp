// Problems that are drawn: sound, the same for the same numbers, of every sort, and no larger than asked for.
#include "coverage/draw.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "coverage/problem_mechanisms.h"

namespace skipper::coverage {
namespace {

constexpr Index most = Index(32) << 20;

TEST(Draw, TheSameNumbersGiveTheSameProblem) {
  Sizes const sizes = sizes_for(machine("h200"), most);
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < 200; ++i) {
    EXPECT_EQ(drawn(3, i, sizes), drawn(3, i, sizes));
    texts.insert(text(drawn(3, i, sizes)));
    texts.insert(text(drawn(4, i, sizes)));
  }
  EXPECT_GT(texts.size(), 380u);
  EXPECT_EQ(text(drawn(1, 0, sizes)), "r2c f64 forward 1x6 batch 33 in-place") << "on another machine";
}

TEST(Draw, EveryPropertyOfProblemsOccurs) {
  for (char const* name : {"h200", "a100", "xeon-avx512"}) {
    Sizes const sizes = sizes_for(machine(name), most);
    std::map<std::string, int> counts;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      Problem const p = drawn(1, i, sizes);
      EXPECT_NO_THROW(check(p));
      EXPECT_EQ(parse_problem(text(p)), p);
      for (ProblemMechanism const& m : problem_mechanisms) counts[m.name] += m.holds(p);
    }
    for (ProblemMechanism const& m : problem_mechanisms)
      EXPECT_GE(counts[m.name], 5) << name << ": " << m.name;
  }
}

TEST(Draw, ArraysAreNoLargerThanAskedForButForGaps) {
  Sizes const sizes = sizes_for(machine("h200"), Index(1) << 16);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Problem const p = drawn(1, i, sizes), dense = dense_layout(p);
    EXPECT_LE(std::max(in_bytes(dense), out_bytes(dense)), 1 << 16) << text(p);
  }
}

}  // namespace
}  // namespace skipper::coverage
