// `skipper run`: the main job, shown: a 256^3 transform and its inverse with verification, then a short measurement
// against the peers that are installed, as a table with a plot beside it.
#include <skipper/plan.h>

#include <cmath>
#include <memory>
#include <optional>

#include "bench_case.h"
#include "buffer.h"
#include "cases.h"
#include "command.h"
#include "escape.h"
#include "format.h"
#include "output_file.h"
#include "peers.h"
#include "reference/accuracy.h"
#include "report_printer.h"
#include "settings.h"

namespace skipper::cli {
namespace {

struct RunOptions {
  DeviceOptions device;
  std::int64_t size = 256;
  bool quick = false;
  std::optional<std::string> plot;
};

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
  print(to, "{} on {}\n{}\n", text(problem), plan.device().name(), plan.describe());
  Buffer in(in_bytes(problem)), out(out_bytes(problem)), again(in_bytes(problem));
  in.fill_random(problem.precision);
  plan.execute(in.data(), out.data());  // the first touches caches and pages
  double const forward = timed([&] { plan.execute(in.data(), out.data()); });
  back.execute(out.data(), again.data());
  double const inverse = timed([&] { back.execute(out.data(), again.data()); });
  reference::Accuracy const error = reference::accuracy(problem, in.data(), out.data());
  double const round_trip = distance(in, again);
  bool const good = error.l2 <= reference::allowed_l2(problem) &&
                    error.max <= reference::allowed_max(problem) &&
                    round_trip <= 2 * reference::allowed_l2(problem);
  print(to, "forward  {}, {} GFLOPS; error {} against the definition in double on {} outputs (allowed {})\n",
        seconds_text(forward), number_text(operations(problem) / forward / 1e9), number_text(error.l2, 2),
        error.samples, number_text(reference::allowed_l2(problem), 2));
  print(to, "inverse  {}, {} GFLOPS; error of the way there and back {}\n", seconds_text(inverse),
        number_text(operations(problem) / inverse / 1e9), number_text(round_trip, 2));
  print(to, "verified: {}\n\n", good ? "yes" : "NO");
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

int run(RunOptions const& o) {
  BenchSettings settings;
  settings.plan = plan_settings_from(o.device);
  for (auto const& [name, version] : peer_versions()) settings.peers.push_back(name);
  settings.measure = {7, 0.25};
  settings.peer_planning_seconds = 1;  // of FFTW_MEASURE a case: the whole must not take long
  OutputFile drawing(o.plot.value_or(usual_plot_path()));
  FILE* const said = drawing.is_standard_output() ? stderr : stdout;
  bool const good = show_transform(said, o.size, settings.plan);
  std::vector<Case> cases = suite("quick");
  if (o.quick) cases.resize(2);
  ReportPrinter printer(said, ReportPrinter::Form::table, cases, settings.peers);
  Report const report = bench_cases(cases, settings, [&](Report const& so_far) { printer.update(so_far); });
  printer.finish(report);
  drawing.write(plot(report, "skipper run"));
  drawing.finish();
  print(said, "plot: {}\n", escaped(drawing.name()));
  return good && !any_failed(report) ? done : answer_is_no;
}

}  // namespace

Command run_command(CLI::App& program) {
  auto const o = std::make_shared<RunOptions>();
  CLI::App& c = add_command(
      program, "run", "the demonstration: a 256^3 transform and its inverse, verified, then a short bench");
  add_integer(c, "--size", "N", o->size, {1, 2048}, "transform N^3 (default 256)");
  add_flag(c, "--quick", o->quick, "measure only two cases");
  add_text(c, "--plot", "FILE", o->plot, "where the plot goes (default: build/skipper-run.svg)");
  device_options(c, o->device);
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
