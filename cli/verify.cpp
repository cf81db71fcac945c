// `skipper verify`: the errors of results against sums by the definition in higher precision, on sampled outputs.
#include <skipper/plan.h>

#include <algorithm>
#include <cstdio>

#include "buffer.h"
#include "cases.h"
#include "command.h"
#include "escape.h"
#include "json.h"
#include "reference.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct Verdict {
  std::string problem;
  Accuracy error;
  double allowed_l2, allowed_max;
  bool good() const { return error.l2 <= allowed_l2 && error.max <= allowed_max; }  // not for not-a-number
};

Verdict verified(Problem const& problem, PlanSettings const& settings) {
  Plan const plan(problem, settings);
  Buffer in(std::max(in_bytes(problem), out_bytes(problem)));
  in.fill_random(problem.precision);
  Buffer out(in.bytes());
  bool const same = problem.placement == Placement::in_place;
  if (same) std::memcpy(out.data(), in.data(), in.bytes());
  plan.execute(same ? out.data() : in.data(), out.data(), nullptr);
  return {text(problem), accuracy(problem, in.data(), out.data()), allowed_l2(problem), allowed_max(problem)};
}

void print(std::vector<Verdict> const& verdicts) {
  Table rows({"problem", "error l2", "allowed", "error max", "allowed", "samples", "verdict"});
  for (Verdict const& v : verdicts)
    rows.add({v.problem, number_text(v.error.l2, 2), number_text(v.allowed_l2, 2),
              number_text(v.error.max, 2), number_text(v.allowed_max, 2), std::to_string(v.error.samples),
              v.good() ? "good" : "BAD"});
  std::printf("%s", rows.text().c_str());
}

void print_json(std::vector<Verdict> const& verdicts) {
  Json::Array all;
  for (Verdict const& v : verdicts)
    all.push_back(Json::Object{{"problem", v.problem},
                               {"error_l2", v.error.l2},
                               {"error_max", v.error.max},
                               {"allowed_l2", v.allowed_l2},
                               {"allowed_max", v.allowed_max},
                               {"samples", std::int64_t(v.error.samples)},
                               {"good", v.good()}});
  std::printf("%s\n", Json(all).text().c_str());
}

int run(Args const& args) {
  PlanSettings const settings = plan_settings_from(args);
  std::vector<Case> const cases = cases_from(args, suite("quick"));
  std::vector<Verdict> verdicts;
  std::vector<std::string> unsupported;
  {
    Progress progress(cases.size());
    for (Case const& c : cases) {
      progress.step(c.line);
      try {
        if (c.problem)
          verdicts.push_back(verified(*c.problem, settings));
        else
          unsupported.push_back(c.line + ": " + c.fault);
      } catch (Error const& e) {
        if (cases.size() == 1) throw;
        unsupported.push_back(c.line + ": " + e.what());
      }
    }
  }
  args.has("--json") ? print_json(verdicts) : print(verdicts);
  for (std::string const& line : unsupported)
    std::fprintf(stderr, "skipper: unsupported: %s\n", escaped(line).c_str());
  bool const all_good =
      std::all_of(verdicts.begin(), verdicts.end(), [](Verdict const& v) { return v.good(); });
  return all_good && !verdicts.empty() ? done : answer_is_no;
}

}  // namespace

Command verify_command() {
  return {"verify",
          "[SHAPE|PROBLEM]",
          "checks results against the definition in higher precision",
          "Without a problem, a list or a suite it verifies the suite quick. Exit code 1 where an error is "
          "too large.",
          together({{{"--json", "", "as JSON"}}, device_options(), problem_options(), list_options()}),
          run};
}

}  // namespace skipper::cli
