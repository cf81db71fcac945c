// `skipper plot`: results of bench --json as pictures.
#include <skipper/error.h>

#include <cstdio>

#include "command.h"
#include "npy.h"
#include "report.h"

namespace skipper::cli {
namespace {

// result.svg for result.json.
std::string usual_path(std::string const& result) {
  return (result.ends_with(".json") ? result.substr(0, result.size() - 5) : result) + ".svg";
}

int run(Args const& args) {
  args.demand_operands(1, args.has("--out") ? 1 : 1000,
                       args.has("--out") ? "one result" : "results: a.json ...");
  for (std::string const& result : args.operands()) {
    Report const report = read_report(result);
    bool const bars = args.has("--bars") || peer_names(report).empty();
    std::string const path = args.value_or("--out", usual_path(result));
    write_file(path, bars ? plot(report, "skipper bench") : peer_plot(report), "");
    std::printf("%s\n", path.c_str());
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
          "Without peers, or with --bars, it draws rates.",
          {{"--out", "FILE", "where the picture of a single result goes"},
           {"--bars", "", "draw GFLOPS, a row a case"}},
          run};
}

}  // namespace skipper::cli
