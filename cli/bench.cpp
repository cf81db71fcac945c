// `skipper bench`: times of problems against a copy and against other libraries, with the error of each.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "bench_case.h"
#include "bench_cuda.h"
#include "bench_ranks.h"
#include "cases.h"
#include "command.h"
#include "exchanges.h"
#include "gpu.h"
#include "peer_cufft.h"
#include "output_file.h"
#include "peers.h"
#include "settings.h"

namespace skipper::cli {
namespace {

// All that are installed, or those that --against names, which then must be.
std::vector<std::string> peers_from(Args const& args, Device const& device) {
  args.demand_apart("--against", "--no-peers");
  if (args.has("--no-peers")) return {};
  std::vector<std::string> installed;
  if (cuda_device(device.name()) >= 0) {
    if (!cufft_version().empty()) installed.push_back("cufft");
  } else {
    for (auto const& [name, version] : peer_versions()) installed.push_back(name);
  }
  if (!args.has("--against")) return installed;
  std::vector<std::string> const wanted = split(*args.value("--against"), ',');
  for (std::string const& name : wanted)
    if (std::find(installed.begin(), installed.end(), name) == installed.end())
      args.refuse("--against names '" + name.substr(0, 40) + "', but " + missing_peer(name));
  return wanted;
}

BenchSettings settings_from(Args const& args) {
  BenchSettings settings;
  settings.plan = plan_settings_from(args);
  settings.measure.repeats = int(args.integer_or("--repeats", 11, 1, 100000));
  settings.measure.seconds = args.number_or("--seconds", 0.5, 0);
  settings.peers = peers_from(args, settings.plan.device);
  settings.within = args.number_or("--within", 0, 0);
  settings.save = args.value_or("--save", "");
  settings.clusters = !args.has("--no-clusters");
  settings.peer_planning_seconds = args.number_or("--peer-planning", 10, 0);
  settings.wisdom = args.value_or("--wisdom", "");
  return settings;
}

// Where the table goes: to standard output, unless one of the files is it. Only one thing can.
FILE* words_stream(Args const& args, BenchSettings const& settings,
                   std::optional<OutputFile> const& drawing) {
  bool const saved = !settings.save.empty() && OutputFile(settings.save).is_standard_output();
  bool const drawn = drawing && drawing->is_standard_output();
  bool const data = args.has("--json") || args.has("--csv");
  if (int(saved) + int(drawn) + int(data) > 1)
    args.refuse(
        "standard output can take one of --json, --csv, --save and --plot; give files for the others");
  return saved || drawn ? stderr : stdout;
}

int run(Args const& args) {
  args.demand_apart("--distributed", "--exchanges");
  if (args.has("--distributed")) return bench_on_ranks(args);
  if (args.has("--exchanges")) return bench_exchanges(args);
  for (Option const& o : bench_ranks_options())
    if (args.has(o.name)) args.refuse(o.name + " is about transforms over ranks; give --distributed too");
  args.demand_apart("--json", "--csv");
  BenchSettings const settings = settings_from(args);
  std::vector<Case> const cases = cases_from(args, suite("quick"));
  if (args.has("--prepare")) return prepare_cases(cases, settings) == 0 ? done : answer_is_no;
  std::optional<OutputFile> drawing;
  if (auto const path = args.value("--plot")) drawing.emplace(*path);
  FILE* const said = words_stream(args, settings, drawing);
  Report const report = bench_cases(cases, settings);
  if (cases.size() == 1 && !report.skipped.empty()) throw Error("problem", report.skipped[0].second);
  if (args.has("--json"))
    std::fprintf(said, "%s\n", to_json(report).text().c_str());
  else
    std::fprintf(said, "%s", args.has("--csv") ? csv(report).c_str() : table(report).c_str());
  if (drawing) {
    drawing->write(plot(report, "skipper bench"));
    drawing->finish();
  }
  for (auto const& [problem, why] : report.skipped)
    if (why.starts_with("result:")) return answer_is_no;
  return done;
}

}  // namespace

Command bench_command() {
  std::vector<Option> const options{
      {"--repeats", "N", "samples of each time (default 11)"},
      {"--seconds", "S", "time to spend on each measurement (default 0.5)"},
      {"--against", "LIST", "peers to measure against, fftw, on a GPU cufft (default: where installed)"},
      {"--no-peers", "", "measure against nothing but a copy"},
      {"--peer-planning", "S", "seconds a peer may plan a problem (default 10; 0: no limit)"},
      {"--wisdom", "FILE", "keep what FFTW learns by planning between runs"},
      {"--prepare", "", "only make the plans, on all cores, so that kernels are compiled and kept"},
      {"--no-clusters", "", "on a GPU, hold no tile in clusters of blocks"},
      {"--within", "S", "begin no case after so many seconds"},
      {"--save", "FILE", "the results so far as JSON, after every case"},
      {"--json", "", "as JSON"},
      {"--csv", "", "as CSV"},
      {"--plot", "FILE", "also draw a bar chart, as SVG"}};
  return {
      "bench",
      "[SHAPE|PROBLEM]",
      "times problems against a copy of the same bytes and against FFTW or cuFFT",
      "Without a problem, a list or a suite it measures the suite quick. Times are medians, with the spread "
      "of the\n"
      "middle half beside them; a peer is FFTW with FFTW_MEASURE, where its shared libraries are installed.\n"
      "With --distributed it times a transform over ranks by phase and verifies it; with --exchanges the "
      "ways in\n"
      "which GPUs exchange data, by pairs, over all of them, and in pieces.",
      together({options, device_options(), problem_options(), list_options(), bench_ranks_options(),
                exchanges_options()}),
      run};
}

}  // namespace skipper::cli
