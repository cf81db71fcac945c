// `skipper plan`: the program of a problem on a machine, here or not, with what each sweep moves and what came second.
#include <skipper/planning.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cases.h"
#include "command.h"
#include "escape.h"
#include "format.h"
#include "json.h"
#include "plan_ranks.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct PlanOptions {
  ProblemOptions problems;
  PlanRanksOptions ranks;
  std::string machine = "host";
  int runner_ups = 2;
  bool no_clusters = false, no_l2_blocks = false, json = false;
};

Json sweep_json(PlannedSweep const& sweep) {
  return {{"tier", sweep.tier},
          {"blocks", sweep.blocks},
          {"tile_bytes", sweep.tile_bytes},
          {"segment_bytes", std::min(sweep.read_segment_bytes, sweep.write_segment_bytes)},
          {"read_segment_bytes", sweep.read_segment_bytes},
          {"write_segment_bytes", sweep.write_segment_bytes},
          {"l2_block_bytes", sweep.l2_block_bytes},
          {"sub_transforms", sweep.sub_transforms},
          {"estimate", sweep.estimate}};
}

Json program_json(PlannedProgram const& program) {
  Json sweeps = Json::array();
  for (PlannedSweep const& sweep : program.sweeps) sweeps.push_back(sweep_json(sweep));
  return {{"estimate", program.estimate},
          {"estimated_seconds", program.seconds},
          {"program", program.text},
          {"sweeps", sweeps}};
}

Json planned_json(Problem const& problem, std::string const& machine,
                  std::vector<PlannedProgram> const& programs) {
  Json result{{"problem", text(problem)}, {"machine", machine_text(machine)}};
  result.update(program_json(programs[0]));
  result["runner_ups"] = Json::array();
  for (std::size_t i = 1; i < programs.size(); ++i) result["runner_ups"].push_back(program_json(programs[i]));
  return result;
}

void print_program(PlannedProgram const& program) {
  Table table({"  sweep", "tier", "tile", "reads in", "writes in", "x copy"});
  for (std::size_t i = 0; i < program.sweeps.size(); ++i) {
    PlannedSweep const& s = program.sweeps[i];
    std::string const tier = s.tier == "cluster" ? formatted("cluster of {}", s.blocks)
                             : s.l2_block_bytes  ? s.tier + ", L2 blocks"
                                                 : s.tier;
    table.add({formatted("  {}", i + 1), tier, bytes_text(double(s.tile_bytes)),
               bytes_text(double(s.read_segment_bytes)), bytes_text(double(s.write_segment_bytes)),
               number_text(s.estimate)});
  }
  for (PlannedSweep const& s : program.sweeps) print("  {}\n", s.text);
  print("{}", table.text());
}

void print_planned(Problem const& problem, std::string const& machine,
                   std::vector<PlannedProgram> const& programs) {
  PlannedProgram const& best = programs[0];
  print("{} on {}: {} {}, about {} x copy, {}\n", text(problem), machine, best.sweeps.size(),
        best.sweeps.size() == 1 ? "sweep" : "sweeps", number_text(best.estimate), seconds_text(best.seconds));
  print_program(best);
  for (std::size_t i = 1; i < programs.size(); ++i) {
    print("runner-up {}, about {} x copy\n", i, number_text(programs[i].estimate));
    for (PlannedSweep const& s : programs[i].sweeps) print("  {}\n", s.text);
  }
  if (machine_text(machine).find(" cpu ") != std::string::npos)
    print("This is the planner's estimate. The CPU engine runs a schedule of its own and no sweeps.\n");
}

// A list is about what can be planned, so one that cannot is a line of the answer and not the end. The answer is no
// where none can.
int run_list(PlanOptions const& o, std::vector<Case> const& cases, PlanningOptions options) {
  options.max_candidates = 1;
  machine_text(o.machine);  // a wrong machine is one error, not one for each case
  std::optional<JsonStream> json;
  if (o.json) json.emplace(stdout);
  Progress progress(cases.size());
  std::size_t unsupported = 0;
  for (Case const& c : cases) {
    std::string fault = c.fault;
    progress.step(c.line);
    try {
      if (c.problem) {
        auto const programs = planned(*c.problem, o.machine, options);
        progress.clear();
        if (json)
          json->add(planned_json(*c.problem, o.machine, programs));
        else
          print("{} {} x copy\n", programs[0].text, number_text(programs[0].estimate));
      }
    } catch (Error const& e) {
      fault = e.what();
    }
    if (!fault.empty()) {
      ++unsupported;
      progress.clear();
      if (json)
        json->add({{"problem", c.problem ? text(*c.problem) : c.line}, {"unsupported", fault}});
      else
        print("{}\nunsupported: {}\n", escaped(c.line), escaped(fault));
    }
    std::fflush(stdout);
  }
  if (json)
    json->finish();
  else
    print("{} planned, {} unsupported\n", cases.size() - unsupported, unsupported);
  return unsupported < cases.size() ? done : answer_is_no;
}

// Problems that were named, one after the other; each must be one that can be planned. One is a JSON object, several are an
// array of them.
template <class Plan>
int run_named(std::vector<Case> const& cases, bool as_json, Plan const& plan) {
  std::optional<JsonStream> all;
  if (as_json && cases.size() > 1) all.emplace(stdout);
  for (Case const& c : cases) {
    std::optional<Json> const json = plan(*c.problem);
    if (json && all) all->add(*json);
    if (json && !all) print("{}\n", json_text(*json));
    std::fflush(stdout);
  }
  if (all) all->finish();
  return done;
}

int run(PlanOptions const& o) {
  PlanningOptions options;
  options.clusters = !o.no_clusters;
  options.l2_blocks = !o.no_l2_blocks;
  options.max_candidates = 1 + o.runner_ups;
  std::vector<Case> const cases = cases_from(o.problems, {});
  if (cases.empty()) refuse("it needs a shape such as 512x512x512, a problem, --list FILE or --suite NAME");
  if (o.ranks.ranks) {
    if (o.problems.problems.empty()) refuse("--ranks is about single problems; name them in place of a list");
    return run_named(cases, o.json,
                     [&](Problem const& problem) { return plan_ranks(o.ranks, problem, o.machine, o.json); });
  }
  if (o.problems.problems.empty()) return run_list(o, cases, options);
  return run_named(cases, o.json, [&](Problem const& problem) -> std::optional<Json> {
    auto const programs = planned(problem, o.machine, options);
    if (o.json) return planned_json(problem, o.machine, programs);
    print_planned(problem, o.machine, programs);
    return std::nullopt;
  });
}

}  // namespace

Command plan_command(CLI::App& program) {
  auto const o = std::make_shared<PlanOptions>();
  CLI::App& c = add_command(
      program, "plan", "the program for a problem on any machine: sweeps, bytes, estimate, runner-ups",
      "With --ranks it prints stages and exchanges, bytes on the links, time by phase and memory of a rank.");
  add_text(c, "--machine", "NAME", o->machine,
           "host (default), a name out of `skipper info`, or a machine's text");
  add_integer(c, "--runner-ups", "N", o->runner_ups, {0, 100}, "other programs to show (default 2)");
  add_flag(c, "--no-clusters", o->no_clusters, "hold no tile in clusters of blocks");
  add_flag(c, "--no-l2-blocks", o->no_l2_blocks, "run no sweeps through L2");
  add_flag(c, "--json", o->json, "as JSON");
  problem_options(c, o->problems);
  plan_ranks_options(c, o->ranks);
  for (char const* const of_one_device : {"--runner-ups", "--no-clusters", "--no-l2-blocks"})
    exclude(c, {"--ranks", of_one_device});
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
