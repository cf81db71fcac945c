// `skipper plot`: results of bench --json as pictures.
#include <memory>
#include <optional>

#include "command.h"
#include "escape.h"
#include "format.h"
#include "input_file.h"
#include "output_file.h"
#include "report.h"

namespace skipper::cli {
namespace {

struct PlotOptions {
  std::vector<std::string> results;
  std::optional<std::string> out;
  bool bars = false;
};

// result.svg for result.json; standard output for what lies in no folder, as standard input.
std::string usual_path(std::string const& result) {
  if (!is_regular(result)) return "-";
  return (result.ends_with(".json") ? result.substr(0, result.size() - 5) : result) + ".svg";
}

int run(PlotOptions const& o) {
  if (o.out && o.results.size() > 1)
    refuse("--out is for one result and there are more; leave out " + in_quotes(o.results[1]));
  demand_one_standard_input(o.results);
  for (std::string const& result : o.results) {
    Report const report = read_report(result);
    bool const bars = o.bars || peer_names(report).empty();
    OutputFile out(o.out.value_or(usual_path(result)));
    out.write(bars ? plot(report, "skipper bench") : peer_plot(report));
    out.finish();
    print(out.is_standard_output() ? stderr : stdout, "{}\n", escaped(out.name()));
  }
  return done;
}

}  // namespace

Command plot_command(CLI::App& program) {
  auto const o = std::make_shared<PlotOptions>();
  CLI::App& c = add_command(program, "plot", "draws results of bench --json, each as an SVG file beside it",
                            "A column for every case: how many times as fast as the fastest peer, on a "
                            "logarithmic scale, by family.\n"
                            "Without peers, or with --bars, it draws rates. What is read from standard input "
                            "(-) is drawn onto standard\n"
                            "output.");
  add_operands(c, "result.json", o->results, 1, "results");
  add_text(c, "--out", "FILE", o->out, "where the picture of a single result goes");
  add_flag(c, "--bars", o->bars, "draw GFLOPS, a row a case");
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
