// `skipper tune`: measures the planner's candidates for problems on a GPU and keeps the fastest of each in a file that
// plans read from then on.
#include <skipper/planning.h>
#include <skipper/tuning.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "command.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "gpu.h"
#include "gpu_stopwatch.h"
#include "output_target.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct TuneOptions {
  ProblemOptions problems;
  DeviceOptions device;
  std::optional<std::string> file;
  int candidates = 8;
};

struct Candidate {
  PlannedProgram program;
  std::vector<double> samples;
  std::string fault;
  bool runs() const { return fault.empty(); }
  double seconds() const {  // the median
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

// Of those that run the fastest. A gain that may as well be noise is none: then the planner's own choice, the first,
// stays.
Candidate const* best_of(std::vector<Candidate> const& all) {
  constexpr double noise = 0.005;
  Candidate const* best = nullptr;
  for (Candidate const& c : all)
    if (c.runs() && (!best || c.seconds() < best->seconds())) best = &c;
  bool const gained = !best || !all[0].runs() || best->seconds() < (1 - noise) * all[0].seconds();
  return gained ? best : &all[0];
}

// Those with clusters, those without, and those in L2 blocks, since the estimates of either are not of one cloth.
std::vector<Candidate> candidates(Problem const& problem, std::string const& machine, int most) {
  std::vector<Candidate> all;
  for (auto const& [clusters, l2_blocks] : {std::pair(true, false), {false, false}, {false, true}})
    for (PlannedProgram& p :
         planned(problem, machine, {.clusters = clusters, .l2_blocks = l2_blocks, .max_candidates = most}))
      if (std::none_of(all.begin(), all.end(), [&](Candidate const& c) { return c.program.text == p.text; }))
        all.push_back({std::move(p), {}, ""});
  return all;
}

std::string machine_of(std::string const& device) {
  for (DeviceDescription const& d : devices())
    if (d.name == device) return d.machine;
  throw Error("device", "'" + device + "' is not there");
}

// Compiles them all at once, then measures one after the other. One whose result is wrong or that does not run is no
// candidate. Those close to the best run twice more, in turn, so that none wins by one lucky moment.
void measure_all(std::vector<Candidate>& all, Problem const& problem, PlanSettings settings,
                 CudaStopwatch& stopwatch) {
  std::vector<std::string> texts;
  for (Candidate const& c : all) texts.push_back(c.program.text);
  prepare_programs(problem, settings, texts);
  settings.cpu = {};  // they are for compiling
  auto const run_once = [&](Candidate& c) {
    try {
      settings.gpu.program = c.program.text;
      c.samples.push_back(stopwatch.seconds(Plan(problem, settings)));
    } catch (Error const& e) {
      c.fault = e.what();
    }
  };
  for (Candidate& c : all) run_once(c);
  constexpr double close = 1.03;
  Candidate const* const best = best_of(all);
  if (!best) return;
  double const limit = close * best->seconds();
  std::vector<Candidate*> again;
  for (Candidate& c : all)
    if (c.runs() && c.seconds() <= limit) again.push_back(&c);
  for (int round = 0; round < 2 && again.size() > 1; ++round)
    for (Candidate* c : again)
      if (c->runs()) run_once(*c);
}

struct Tuned {
  Problem problem;
  std::vector<Candidate> candidates;
  Candidate const& best() const { return *best_of(candidates); }
};

// Measures the candidates and keeps the best at once: a run that is cut off has kept what it has done.
Tuned tuned(Problem const& problem, PlanSettings const& settings, int most, CudaStopwatch& stopwatch,
            std::string const& file) {
  Tuned result{problem, candidates(problem, machine_of(settings.device.name()), most)};
  measure_all(result.candidates, problem, settings, stopwatch);
  if (!best_of(result.candidates))
    throw Error("program", "none of the candidates runs: " + result.candidates[0].fault);
  keep_tuned(file, settings.device, {result.best().program.text});
  return result;
}

std::vector<std::string> row(Tuned const& t) {
  Candidate const &planned = t.candidates[0], &best = t.best();
  bool const runs = planned.runs();
  return {text(t.problem),
          formatted("{}", t.candidates.size()),
          runs ? seconds_text(planned.seconds()) : "fails",
          seconds_text(best.seconds()),
          runs ? number_text(100 * (1 - best.seconds() / planned.seconds()), 2) + "%" : "-",
          formatted("{}", best.program.sweeps.size())};
}

// Before anything is measured. A folder that is not there the library makes.
void demand_tuning_file(std::string const& file) {
  std::filesystem::path const folder = std::filesystem::path(file).parent_path();
  if (std::error_code trouble; !folder.empty() && !std::filesystem::exists(folder, trouble)) return;
  if (output_target(file).sort != OutputTarget::Sort::replaced)
    refuse("programs are kept in a regular file, which " + called(file, "standard output") +
           " is not; give another to --file");
}

int run(TuneOptions const& o) {
  PlanSettings settings = plan_settings_from(o.device);
  int const device = cuda_device(settings.device.name());
  if (device < 0) refuse("there is no GPU here that it could tune; `skipper info` says what is missing");
  settings.device = Device(settings.device.name());
  std::string const file = o.file.value_or(tuning_file(settings.device));
  if (file.empty()) refuse("it needs --file FILE, since no cache folder is set");
  demand_tuning_file(file);
  std::vector<Case> const cases = cases_from(o.problems, {});
  if (cases.empty()) refuse("it needs a shape such as 512x512x512, a problem, --list FILE or --suite NAME");
  CudaStopwatch stopwatch(device);
  Rows rows(stdout, {{"problem", longest_text(cases)},
                     {"candidates", 10},
                     {"planned", 10},
                     {"best", 10},
                     {"gain", 10},
                     {"sweeps", 10}});
  std::size_t const failed = for_each_case(
      cases, [&](Problem const& problem) { return tuned(problem, settings, o.candidates, stopwatch, file); },
      [&](Tuned const& t) {
        rows.row(row(t));
        for (Candidate const& c : t.candidates)
          if (!c.runs()) print("a candidate failed: {}\n{}", escaped_lines(c.fault), c.program.text);
        std::fflush(stdout);
      },
      [&](Case const& c, Fault const& fault) {
        print("not tuned: {}: {}\n", escaped(c.line), escaped(fault.why));
        std::fflush(stdout);
      });
  if (failed < cases.size()) print("kept in {}\n", escaped(file));
  return failed ? answer_is_no : done;
}

}  // namespace

Command tune_command(CLI::App& program) {
  auto const o = std::make_shared<TuneOptions>();
  CLI::App& c = add_command(
      program, "tune", "measures the planner's candidates on a GPU and keeps the fastest for later plans",
      "The file is text: version, machine, then programs. Plans read it where both are their own, and say so "
      "in\n"
      "their description.");
  add_text(c, "--file", "FILE", o->file, "where to keep the programs (default: the file that plans read)");
  add_integer(c, "--candidates", "N", o->candidates, {1, 64},
              "programs to measure, with clusters and without (default 8 of each)");
  device_options(c, o->device);
  problem_options(c, o->problems);
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
