#include "support/papers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/source_dir.h"

namespace skipper::testing {

std::vector<PaperPlan> paper_plans() {
  std::vector<PaperPlan> plans;
  for (auto const& entry : std::filesystem::directory_iterator(source_dir() / "tests/plan/papers")) {
    PaperPlan plan{entry.path().stem().string(), {}, 0, {}};
    std::ifstream file(entry.path());
    bool first = true;
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      if (first)
        plan.problem = parse_problem(line);
      else
        plan.sweeps += line + "\n";
      first = false;
    }
    plan.kernels = int(std::count(plan.sweeps.begin(), plan.sweeps.end(), '{'));
    plans.push_back(std::move(plan));
  }
  std::sort(plans.begin(), plans.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
  return plans;
}

}  // namespace skipper::testing
