// Fuzz target: tuning files, which `skipper tune` writes and every plan for a GPU reads.
#include "plan/tuning.h"

#include "fuzz/fuzz.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper::fuzz {

int const inputs = 200000;

namespace {

std::vector<Problem> const& problems() {
  static std::vector<Problem> const all = {parse_problem("c2c f32 forward 64x64 batch 8"),
                                           parse_problem("r2c f64 forward 1000"),
                                           parse_problem("c2c f32 inverse 1021")};
  return all;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (std::size_t number = 0; char const* const name : {"h200", "a100"}) {
    if (!testing::takes(number++, 2)) continue;
    Tuning tuning = empty_tuning(machine(name));
    result.push_back(text(tuning));
    for (Problem const& p : problems())
      put(tuning, planner(p, tuning.machine, {.max_candidates = 1}).front().program);
    result.push_back(text(tuning));
  }
  return result;
}

bool takes(std::string_view input) {
  // One program of many, as plans do it: a faulty program elsewhere in the file is not looked at.
  accepts([&] {
    std::string_view rest = input;
    Tuning const head = parse_head(rest);
    mismatch(head, machine("h200"));
    for (Problem const& p : problems())
      if (auto const program = find_program(rest, p))
        demand(program->problem == p, "another problem's program was found");
  });
  Tuning tuning;
  if (!accepts([&] { tuning = parse_tuning(input); })) return false;
  std::string const all = text(tuning);
  Tuning const again = parse_tuning(all);
  demand(
      again.version == tuning.version && again.machine == tuning.machine && again.programs == tuning.programs,
      "reads back as another file:\n" + all);
  demand(text(again) == all, "prints otherwise the second time:\n" + all);
  for (Problem const& p : problems()) {
    Program const* const found = find(tuning, p);
    demand(!found || found->problem == p, "another problem's program was found");
  }
  return true;
}

}  // namespace skipper::fuzz
