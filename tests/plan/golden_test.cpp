// The chosen program of each golden problem, for three machines. A change of the planner shows here as a diff to be
// reviewed like code: SKIPPER_UPDATE_GOLDENS=1 rewrites the files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/machine.h"
#include "plan/planner.h"
#include "support/goldens.h"

namespace skipper::testing {
namespace {

class Goldens : public ::testing::TestWithParam<char const*> {};

TEST_P(Goldens, AreWhatThePlannerChooses) {
  std::string const name = GetParam();
  Machine const m = machine(name);
  bool const update = std::getenv("SKIPPER_UPDATE_GOLDENS") != nullptr;
  std::ofstream file;
  std::vector<Golden> kept;
  if (update)
    file.open(golden_path(name));
  else
    kept = goldens(name);
  auto const problems = golden_problems();
  ASSERT_GE(problems.size(), 140u);
  ASSERT_TRUE(update || kept.size() == problems.size()) << "the list of problems has changed: update the goldens";
  for (std::size_t i = 0; i < problems.size(); ++i) {
    Candidate const best = planner(problems[i], m).front();
    ASSERT_NO_THROW(check(best.program)) << text(best.program);
    if (update)
      file << golden_text(best.cost, best.program);
    else
      EXPECT_EQ(golden_text(best.cost, best.program), golden_text(kept[i].cost, kept[i].program));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Goldens, ::testing::Values("h200", "a100", "xeon-avx512"),
                         [](auto const& each) {
                           std::string name = each.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace skipper::testing
