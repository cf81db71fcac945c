// Fuzz target: machine texts: what is accepted prints, reads back, and can be planned for.
#include <cmath>

#include "base/machine.h"
#include "fuzz/fuzz.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper::fuzz {

int const inputs = 1500;

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (std::string const& name : machine_names()) result.push_back(text(machine(name)));
  result.push_back("h200");
  return result;
}

namespace {

std::vector<Problem> const& problems() {
  static std::vector<Problem> const all = [] {
    std::vector<Problem> result;
    for (char const* const line :
         {"c2c f32 forward 64x64 batch 8", "c2c f64 inverse 4096", "r2c f32 forward 48x100",
          "c2c f32 forward 1021", "r2r f32 forward 60 kinds dct2 batch 7", "c2c f16 forward 512x64"})
      result.push_back(parse_problem(line));
    return result;
  }();
  return all;
}

}  // namespace

bool takes(std::string_view input) {
  Machine m;
  if (!accepts([&] { m = machine(input); })) return false;
  std::string const line = text(m);
  demand(machine(line) == m, "reads back as another machine: " + line);
  demand(text(machine(line)) == line, "prints otherwise the second time: " + line);
  std::size_t sum = 0;
  for (char const c : line) sum += static_cast<unsigned char>(c);
  if (testing::quick() && sum % 5) return true;  // planning takes long
  Problem const& problem = problems()[sum % problems().size()];
  accepts([&] {  // a machine that holds nothing is an Error
    std::vector<Candidate> const found = planner(problem, m, {.max_candidates = 2});
    demand(!found.empty(), "no program, and no Error: " + line);
    for (Candidate const& candidate : found) {
      check(candidate.program);
      demand(!std::isnan(candidate.cost) && candidate.cost > 0,
             "costs " + std::to_string(candidate.cost) + ":\n" + text(candidate.program) + line);
    }
  });
  return true;
}

}  // namespace skipper::fuzz
