// `skipper compare a.json b.json`: what became slower, beyond what the spread of the measurements explains.
#include <algorithm>
#include <cmath>
#include <memory>

#include "command.h"
#include "format.h"
#include "input_file.h"
#include "report.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct CompareOptions {
  std::string before, after;
  double least = 0.05;
};

MeasuredCase const* find_case(Report const& report, std::string const& problem) {
  for (MeasuredCase const& c : report.cases)
    if (c.problem == problem) return &c;
  return nullptr;
}

double or_zero(double spread) { return std::isfinite(spread) ? spread : 0; }

int run(CompareOptions const& o) {
  demand_one_standard_input({o.before, o.after});
  Report const before = read_report(o.before), after = read_report(o.after);
  if (before.machine != after.machine || before.threads != after.threads)
    print(
        stderr,
        "skipper: the results are from different machines or thread counts, so take the ratios with care\n");
  Table rows({"problem", "before", "after", "after/before", "noise", "verdict"});
  int slower = 0, faster = 0, common = 0;
  double sum = 0;
  for (MeasuredCase const& b : after.cases) {
    MeasuredCase const* const a = find_case(before, b.problem);
    if (!a) continue;
    double const ratio = b.seconds / a->seconds,
                 noise = std::max(o.least, or_zero(a->spread) + or_zero(b.spread));
    bool const is_slower = ratio > 1 + noise, is_faster = ratio < 1 / (1 + noise);
    slower += is_slower, faster += is_faster, ++common;
    sum += std::log(ratio);
    rows.add({b.problem, seconds_text(a->seconds), seconds_text(b.seconds), number_text(ratio),
              number_text(100 * noise, 2) + "%",
              is_slower   ? "slower"
              : is_faster ? "faster"
                          : "same"});
  }
  std::size_t const only = before.cases.size() + after.cases.size() - 2 * std::size_t(common);
  if (common == 0) throw JsonError("the two results have no problem in common");
  print("{}", rows.text());
  print("{} in common: {} slower, {} faster; geometric mean of after/before {}\n", common, slower, faster,
        number_text(std::exp(sum / common)));
  if (only > 0) print("{} in only one of the results, not compared\n", only);
  return slower ? answer_is_no : done;
}

}  // namespace

Command compare_command(CLI::App& program) {
  auto const o = std::make_shared<CompareOptions>();
  CLI::App& c = add_command(
      program, "compare", "finds what became slower between two results of bench --json",
      "A case is slower where its time grew by more than both spreads together. Exit code 1 where any is.");
  add_operand(c, "before.json", o->before, "a result");
  add_operand(c, "after.json", o->after, "a later one");
  add_number(c, "--least", "X", o->least, 0, "never count less than this share as slower (default 0.05)");
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
