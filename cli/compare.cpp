// `skipper compare a.json b.json`: what became slower, beyond what the spread of the measurements explains.
#include <cmath>
#include <cstdio>

#include "command.h"
#include "input_file.h"
#include "json.h"
#include "report.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

MeasuredCase const* find_case(Report const& report, std::string const& problem) {
  for (MeasuredCase const& c : report.cases)
    if (c.problem == problem) return &c;
  return nullptr;
}

double or_zero(double spread) { return std::isfinite(spread) ? spread : 0; }

int run(Args const& args) {
  args.demand_operands(2, 2, "two results: before.json after.json");
  demand_one_standard_input(args, args.operands());
  double const least = args.number_or("--least", 0.05, 0);
  Report const before = read_report(args.operands()[0]), after = read_report(args.operands()[1]);
  if (before.machine != after.machine || before.threads != after.threads)
    std::fprintf(
        stderr,
        "skipper: the results are from different machines or thread counts, so take the ratios with care\n");
  Table rows({"problem", "before", "after", "after/before", "noise", "verdict"});
  int slower = 0, faster = 0, common = 0;
  double sum = 0;
  for (MeasuredCase const& b : after.cases) {
    MeasuredCase const* const a = find_case(before, b.problem);
    if (!a) continue;
    double const ratio = b.seconds / a->seconds,
                 noise = std::max(least, or_zero(a->spread) + or_zero(b.spread));
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
  std::printf("%s", rows.text().c_str());
  std::printf("%d in common: %d slower, %d faster; geometric mean of after/before %s\n", common, slower,
              faster, number_text(std::exp(sum / common)).c_str());
  if (only > 0) std::printf("%zu in only one of the results, not compared\n", only);
  return slower ? answer_is_no : done;
}

}  // namespace

Command compare_command() {
  return {
      "compare",
      "before.json after.json",
      "finds what became slower between two results of bench --json",
      "A case is slower where its time grew by more than both spreads together. Exit code 1 where any is.",
      {{"--least", "X", "never count less than this share as slower (default 0.05)"}},
      run};
}

}  // namespace skipper::cli
