// `skipper run`: the main job, shown: a 256^3 transform and its inverse with verification, then a short measurement
// against the peers that are installed, as a table with a plot beside it.
#include <skipper/plan.h>

#include <cmath>
#include <cstdio>

#include "bench_case.h"
#include "buffer.h"
#include "cases.h"
#include "command.h"
#include "escape.h"
#include "output_file.h"
#include "peers.h"
#include "reference.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

template <class Work>
double timed(Work work) {
  double const begin = now();
  work();
  return now() - begin;
}

// Relative L2 distance of two arrays of floats.
double distance(Buffer const& a, Buffer const& b) {
  auto const* const x = static_cast<float const*>(a.data());
  auto const* const y = static_cast<float const*>(b.data());
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < a.bytes() / sizeof(float); ++i) {
    double const e = double(y[i]) - double(x[i]);
    error += e * e;
    whole += double(x[i]) * double(x[i]);
  }
  return std::sqrt(error / whole);
}

bool show_transform(FILE* to, std::int64_t n, PlanSettings const& settings) {
  Problem const problem = c2c({n, n, n});
  Plan const plan(problem, settings), back = plan.inverse();
  std::fprintf(to, "%s on %s\n%s\n", text(problem).c_str(), plan.device().name().c_str(),
               plan.describe().c_str());
  Buffer in(in_bytes(problem)), out(out_bytes(problem)), again(in_bytes(problem));
  in.fill_random(problem.precision);
  plan.execute(in.data(), out.data(), nullptr);  // the first touches caches and pages
  double const forward = timed([&] { plan.execute(in.data(), out.data(), nullptr); });
  back.execute(out.data(), again.data(), nullptr);
  double const inverse = timed([&] { back.execute(out.data(), again.data(), nullptr); });
  Accuracy const error = accuracy(problem, in.data(), out.data());
  double const round_trip = distance(in, again);
  bool const good = error.l2 <= allowed_l2(problem) && error.max <= allowed_max(problem) &&
                    round_trip <= 2 * allowed_l2(problem);
  std::fprintf(
      to, "forward  %s, %s GFLOPS; error %s against the definition in double on %zu outputs (allowed %s)\n",
      seconds_text(forward).c_str(), number_text(operations(problem) / forward / 1e9).c_str(),
      number_text(error.l2, 2).c_str(), error.samples, number_text(allowed_l2(problem), 2).c_str());
  std::fprintf(to, "inverse  %s, %s GFLOPS; error of the way there and back %s\n",
               seconds_text(inverse).c_str(), number_text(operations(problem) / inverse / 1e9).c_str(),
               number_text(round_trip, 2).c_str());
  std::fprintf(to, "verified: %s\n\n", good ? "yes" : "NO");
  std::fflush(to);
  return good;
}

// build/skipper-run.svg for build/bin/skipper, else here.
std::string usual_plot_path() {
  std::string const program = program_path();
  std::size_t const cut = program.rfind("/bin/");
  bool const built = cut != program.npos && program.substr(0, cut).ends_with("/build");
  return built ? program.substr(0, cut) + "/skipper-run.svg" : "skipper-run.svg";
}

int run(Args const& args) {
  args.demand_operands(0, 0, "no operand");
  BenchSettings settings;
  settings.plan = plan_settings_from(args);
  for (auto const& [name, version] : peer_versions()) settings.peers.push_back(name);
  settings.measure = {7, 0.25};
  settings.peer_planning_seconds = 1;  // of FFTW_MEASURE a case: the whole must not take long
  OutputFile drawing(args.value_or("--plot", usual_plot_path()));
  FILE* const said = drawing.is_standard_output() ? stderr : stdout;
  bool const good = show_transform(said, args.integer_or("--size", 256, 1, 2048), settings.plan);
  std::vector<Case> cases = suite("quick");
  if (args.has("--quick")) cases.resize(2);
  Report const report = bench_cases(cases, settings);
  std::fprintf(said, "%s", table(report).c_str());
  drawing.write(plot(report, "skipper run"));
  drawing.finish();
  std::fprintf(said, "plot: %s\n", escaped(drawing.name()).c_str());
  return good ? done : answer_is_no;
}

}  // namespace

Command run_command() {
  return {"run",
          "",
          "the demonstration: a 256^3 transform and its inverse, verified, then a short bench",
          "",
          together({{{"--size", "N", "transform N^3 (default 256)"},
                     {"--quick", "", "measure only two cases"},
                     {"--plot", "FILE", "where the plot goes (default: build/skipper-run.svg)"}},
                    device_options()}),
          run};
}

}  // namespace skipper::cli
