// `skipper bench`: times of problems against a copy and against other libraries, with the error of each.
#include <cstdio>

#include "bench_case.h"
#include "cases.h"
#include "command.h"
#include "npy.h"

namespace skipper::cli {
namespace {

BenchSettings settings_from(Args const& args) {
  BenchSettings settings;
  settings.plan.device = Device(args.value_or("--device", "best"));
  settings.plan.threads = int(args.integer_or("--threads", 0, 0, 4096));
  settings.measure.repeats = int(args.integer_or("--repeats", 11, 1, 100000));
  settings.measure.seconds = args.number_or("--seconds", 0.5, 0);
  settings.peers = !args.has("--no-peers");
  settings.peer_planning_seconds = args.number_or("--peer-planning", 10, 0);
  settings.wisdom = args.value_or("--wisdom", "");
  return settings;
}

int run(Args const& args) {
  args.demand_apart("--json", "--csv");
  BenchSettings const settings = settings_from(args);
  std::vector<Case> const cases = cases_from(args, suite("quick"));
  Report const report = bench_cases(cases, settings);
  if (cases.size() == 1 && !report.skipped.empty()) throw Error("problem", report.skipped[0].second);
  if (args.has("--json"))
    std::printf("%s\n", to_json(report).text().c_str());
  else
    std::printf("%s", args.has("--csv") ? csv(report).c_str() : table(report).c_str());
  if (auto const path = args.value("--plot")) write_file(*path, plot(report, "skipper bench"), "");
  return done;
}

}  // namespace

Command bench_command() {
  std::vector<Option> options{
      {"--device", "NAME", "best (default), cpu, cuda:0"},
      {"--threads", "N", "threads of a CPU (default: one for each core)"},
      {"--repeats", "N", "samples of each time (default 11)"},
      {"--seconds", "S", "time to spend on each measurement (default 0.5)"},
      {"--no-peers", "", "measure against nothing but a copy"},
      {"--peer-planning", "S", "seconds a peer may plan a problem (default 10; 0: no limit)"},
      {"--wisdom", "FILE", "keep what FFTW learns by planning between runs"},
      {"--json", "", "as JSON"},
      {"--csv", "", "as CSV"},
      {"--plot", "FILE", "also draw a bar chart, as SVG"}};
  for (auto const& more : {problem_options(), list_options()})
    options.insert(options.end(), more.begin(), more.end());
  return {
      "bench",
      "[SHAPE|PROBLEM]",
      "times problems against a copy of the same bytes and against FFTW",
      "Without a problem, a list or a suite it measures the suite quick. Times are medians, with the spread "
      "of the\n"
      "middle half beside them; a peer is FFTW with FFTW_MEASURE, where its shared libraries are installed.",
      options,
      run};
}

}  // namespace skipper::cli
