// `skipper plot`: results of bench --json as pictures.
#include <skipper/error.h>

#include <cstdio>

#include "command.h"
#include "escape.h"
#include "input_file.h"
#include "output_file.h"
#include "report.h"

namespace skipper::cli {
namespace {

// result.svg for result.json; standard output for what lies in no folder, as standard input.
std::string usual_path(std::string const& result) {
  if (!is_regular(result)) return "-";
  return (result.ends_with(".json") ? result.substr(0, result.size() - 5) : result) + ".svg";
}

int run(Args const& args) {
  args.demand_operands(1, args.has("--out") ? 1 : 1000,
                       args.has("--out") ? "one result" : "results: a.json ...");
  demand_one_standard_input(args, args.operands());
  for (std::string const& result : args.operands()) {
    Report const report = read_report(result);
    bool const bars = args.has("--bars") || peer_names(report).empty();
    std::string const path = args.value_or("--out", usual_path(result));
    OutputFile out(path);
    out.write(bars ? plot(report, "skipper bench") : peer_plot(report));
    out.finish();
    std::fprintf(out.is_standard_output() ? stderr : stdout, "%s\n", escaped(out.name()).c_str());
  }
  return done;
}

}  // namespace

Command plot_command() {
  return {"plot",
          "result.json ...",
          "draws results of bench --json, each as an SVG file beside it",
          "A column for every case: how many times as fast as the fastest peer, on a logarithmic scale, by "
          "family.\n"
          "Without peers, or with --bars, it draws rates. What is read from standard input (-) is drawn onto "
          "standard\noutput.",
          {{"--out", "FILE", "where the picture of a single result goes"},
           {"--bars", "", "draw GFLOPS, a row a case"}},
          run};
}

}  // namespace skipper::cli
