// `skipper bench`: times of problems against a copy and against other libraries, with the error of each.
#include <algorithm>
#include <memory>
#include <optional>

#include "bench_case.h"
#include "bench_cuda.h"
#include "bench_options.h"
#include "bench_ranks.h"
#include "command.h"
#include "exchanges.h"
#include "format.h"
#include "gpu.h"
#include "output_file.h"
#include "peer_cufft.h"
#include "peers.h"
#include "report_printer.h"

namespace skipper::cli {
namespace {

// Those that can be opened here, with their versions.
std::vector<std::pair<std::string, std::string>> installed_peers(bool on_gpu) {
  if (!on_gpu) return peer_versions();
  std::string const version = cufft_version();
  return version.empty() ? std::vector<std::pair<std::string, std::string>>{}
                         : std::vector{std::pair(std::string("cufft"), version)};
}

// All that are installed, or those that --against names, which then must be.
std::vector<std::string> peers_from(BenchOptions const& o, Device const& device) {
  if (o.no_peers) return {};
  std::vector<std::string> installed;
  for (auto const& [name, version] : installed_peers(cuda_device(device.name()) >= 0))
    installed.push_back(name);
  if (o.against.empty()) return installed;
  for (std::string const& name : o.against)
    if (std::find(installed.begin(), installed.end(), name) == installed.end())
      refuse(formatted("--against names {}, but {}", in_quotes(name), missing_peer(name)));
  return o.against;
}

BenchSettings settings_from(BenchOptions const& o) {
  BenchSettings settings;
  settings.plan = plan_settings_from(o.device);
  settings.measure.repeats = o.repeats.value_or(11);
  settings.measure.seconds = o.seconds;
  settings.peers = peers_from(o, settings.plan.device);
  settings.within = o.within;
  settings.clusters = !o.no_clusters;
  settings.peer_planning_seconds = o.peer_planning;
  settings.wisdom = o.wisdom;
  return settings;
}

int list_peers() {
  bool any = false;
  for (bool const on_gpu : {false, true})
    for (auto const& [name, version] : installed_peers(on_gpu)) {
      print("{} {}\n", name, version);
      any = true;
    }
  if (!any) print("none: neither {} nor is cuFFT\n", missing_peer("fftw"));
  return done;
}

// Where the results go: to standard output, unless one of the files is it. Only one thing can.
FILE* results_stream(BenchOptions const& o, std::optional<OutputFile> const& drawing) {
  bool const saved = o.save && OutputFile(*o.save).is_standard_output();
  bool const drawn = drawing && drawing->is_standard_output();
  if (int(saved) + int(drawn) + int(o.json || o.csv) > 1)
    refuse("standard output can take one of --json, --csv, --save and --plot; give files for the others");
  return saved || drawn ? stderr : stdout;
}

int run_cases(BenchOptions const& o, std::vector<Case> const& cases, BenchSettings const& settings) {
  std::optional<OutputFile> drawing;
  if (o.plot) drawing.emplace(*o.plot);
  using Form = ReportPrinter::Form;
  ReportPrinter printer(results_stream(o, drawing),
                        o.json  ? Form::json
                        : o.csv ? Form::csv
                                : Form::table,
                        cases, settings.peers);
  Report const report = bench_cases(cases, settings, [&](Report const& so_far) {
    if (o.save) save_report(*o.save, so_far, false);
    printer.update(so_far);
  });
  printer.finish(report);
  if (o.save) save_report(*o.save, report, true);
  if (drawing) {
    drawing->write(plot(report, "skipper bench"));
    drawing->finish();
  }
  return any_failed(report) ? answer_is_no : done;
}

int run(BenchOptions const& o) {
  if (o.peers) return list_peers();
  if (o.distributed) return bench_on_ranks(o);
  if (o.exchanges) return bench_exchanges(o);
  for (char const* const option : {"--exchange", "--ranks", "--mpi", "--devices", "--in", "--out",
                                   "--any-output", "--pieces", "--links", "--program"})
    if (given(*o.command, option))
      refuse(formatted("{} is about transforms over ranks; give --distributed too", option));
  BenchSettings const settings = settings_from(o);
  std::vector<Case> const cases = cases_from(o.problems, suite("quick"));
  if (o.prepare) return prepare_cases(cases, settings) == 0 ? done : answer_is_no;
  return run_cases(o, cases, settings);
}

}  // namespace

Command bench_command(CLI::App& program) {
  auto const o = std::make_shared<BenchOptions>();
  CLI::App& c = add_command(
      program, "bench", "times problems against a copy of the same bytes and against FFTW or cuFFT",
      "Without a problem, a list or a suite it measures the suite quick. Times are medians, with the spread "
      "of the\n"
      "middle half beside them; a peer is FFTW with FFTW_MEASURE, where its shared libraries are installed.\n"
      "With --distributed it times a transform over ranks by phase and verifies it; with --exchanges the "
      "ways in\n"
      "which GPUs exchange data, by pairs, over all of them, and in pieces. Results are printed as they "
      "come.");
  o->command = &c;
  add_integer(c, "--repeats", "N", o->repeats, {1, 100000},
              "samples of each time (default 11; of --exchanges 5)");
  add_number(c, "--seconds", "S", o->seconds, 0, "time to spend on each measurement (default 0.5)");
  add_list(c, "--against", o->against,
           "peers to measure against, fftw, on a GPU cufft (default: where installed)");
  add_flag(c, "--no-peers", o->no_peers, "measure against nothing but a copy");
  add_flag(c, "--peers", o->peers, "only list the peers that are installed, with their versions");
  add_number(c, "--peer-planning", "S", o->peer_planning, 0,
             "seconds a peer may plan a problem (default 10; 0: no limit)");
  add_text(c, "--wisdom", "FILE", o->wisdom, "keep what FFTW learns by planning between runs");
  add_flag(c, "--prepare", o->prepare,
           "only make the plans, on all cores, so that kernels are compiled and kept");
  add_flag(c, "--no-clusters", o->no_clusters, "on a GPU, hold no tile in clusters of blocks");
  add_number(c, "--within", "S", o->within, 0, "begin no case after so many seconds");
  add_text(c, "--save", "FILE", o->save, "the results so far as JSON, after every case");
  add_flag(c, "--json", o->json, "as JSON");
  add_flag(c, "--csv", o->csv, "as CSV");
  add_text(c, "--plot", "FILE", o->plot, "also draw a bar chart, as SVG");
  device_options(c, o->device);
  problem_options(c, o->problems);
  bench_ranks_options(c, *o);
  exchanges_options(c, *o);
  exclude(c, {"--against", "--no-peers"});
  exclude(c, {"--json", "--csv"});
  exclude(c, {"--distributed", "--exchanges"});
  exclude(c, {"--device", "--devices"});
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
