// `skipper verify`: the errors of results against sums by the definition in higher precision, on sampled outputs, and sums of all
// outputs.
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

#include "command.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "json.h"
#include "settings.h"
#include "terminal.h"
#include "verdict.h"
#include "verify_random.h"

namespace skipper::cli {
namespace {

struct VerifyOptions {
  ProblemOptions problems;
  RandomOptions random;
  DeviceOptions device;
  bool json = false;
};

Json verdict_json(Verdict const& v) {
  return {{"problem", v.problem},       {"error_l2", v.error.l2},       {"error_max", v.error.max},
          {"allowed_l2", v.allowed_l2}, {"allowed_max", v.allowed_max}, {"samples", v.error.samples},
          {"whole", v.whole},           {"spoilt", v.spoilt},           {"good", v.good()}};
}

// A row or an object for each verdict, when it is known.
class Verdicts {
 public:
  Verdicts(std::vector<Case> const& cases, bool as_json)
      : rows_(stdout, {{"problem", longest_text(cases)},
                       {"error l2", 8},
                       {"allowed", 8},
                       {"error max", 9},
                       {"allowed", 8},
                       {"samples", 8},
                       {"whole", 7},
                       {"verdict", 7}}) {
    if (as_json) json_.emplace(stdout);
  }
  void add(Verdict const& v) {
    if (json_)
      json_->add(verdict_json(v));
    else
      rows_.row({v.problem, number_text(v.error.l2, 2), number_text(v.allowed_l2, 2),
                 number_text(v.error.max, 2), number_text(v.allowed_max, 2), formatted("{}", v.error.samples),
                 number_text(v.whole, 2), v.good() ? "good" : "BAD"});
    if (!v.spoilt.empty()) print(stderr, "skipper: {}: {}\n", escaped(v.problem), v.spoilt);
    all_good_ = all_good_ && v.good();
  }
  void fail(Case const& c, Fault const& fault) {
    if (json_) json_->add({{"problem", c.line}, {"unsupported", fault.why}, {"good", false}});
    print(stderr, "skipper: not verified: {}: {}\n", escaped(c.line), escaped(fault.why));
    all_good_ = false;
  }
  // Whether all of them are good.
  bool finish() {
    if (json_) json_->finish();
    return all_good_;
  }

 private:
  Rows rows_;
  std::optional<JsonStream> json_;
  bool all_good_ = true;
};

int run(VerifyOptions const& o) {
  if (o.random.problems && o.problems.problems.empty()) return verify_random(o.random, o.device, o.json);
  if (o.random.problems) refuse("--random draws the problems; leave the others out");
  PlanSettings const settings = plan_settings_from(o.device);
  std::vector<Case> const cases = cases_from(o.problems, suite("quick"));
  Verdicts verdicts(cases, o.json);
  Verifier verifier(settings, o.device.threads);
  for_each_case(
      cases, [&](Problem const& problem) { return verifier.verdict(problem); },
      [&](Verdict const& verdict) { verdicts.add(verdict); },
      [&](Case const& c, Fault const& fault) { verdicts.fail(c, fault); });
  return verdicts.finish() ? done : answer_is_no;
}

}  // namespace

Command verify_command(CLI::App& program) {
  auto const o = std::make_shared<VerifyOptions>();
  CLI::App& c = add_command(program, "verify", "checks results against the definition in higher precision",
                            "Without a problem, a list or a suite it verifies the suite quick. Exit code 1 "
                            "where an\nerror is too large or a problem cannot be computed.");
  add_flag(c, "--json", o->json, "as JSON");
  device_options(c, o->device);
  problem_options(c, o->problems);
  random_options(c, o->random);
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
