// `skipper plan`: the program of a problem on a machine, here or not, with what each sweep moves and what came second.
#include <skipper/planning.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "command.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "gpu/kernel_sources.h"
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
  std::optional<std::string> source;
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

struct Planned {
  Problem problem;
  std::vector<PlannedProgram> programs;  // the best first, then the runner-ups
};

Json to_json(Planned const& planned, std::string const& machine) {
  std::vector<PlannedProgram> const& programs = planned.programs;
  Json result{{"problem", text(planned.problem)}, {"machine", machine_text(machine)}};
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

void print_plan(Planned const& planned, std::string const& machine) {
  std::vector<PlannedProgram> const& programs = planned.programs;
  PlannedProgram const& best = programs[0];
  print("{} on {}: {} {}, about {} x copy, {}\n", text(planned.problem), machine, best.sweeps.size(),
        best.sweeps.size() == 1 ? "sweep" : "sweeps", number_text(best.estimate), seconds_text(best.seconds));
  print_program(best);
  for (std::size_t i = 1; i < programs.size(); ++i) {
    print("runner-up {}, about {} x copy\n", i, number_text(programs[i].estimate));
    for (PlannedSweep const& s : programs[i].sweeps) print("  {}\n", s.text);
  }
  if (machine_text(machine).find(" cpu ") != std::string::npos)
    print("This is the planner's estimate. The CPU engine runs a schedule of its own and no sweeps.\n");
}

// A line for each case of a list, and what cannot be planned is one too.
void print_line(Planned const& planned) {
  print("{} {} x copy\n", planned.programs[0].text, number_text(planned.programs[0].estimate));
}

// Plans case after case and prints each when it is there: as JSON one object, or an array where there are several or a list; else by
// `show`.
template <class Plan, class ToJson, class Show>
int run_cases(PlanOptions const& o, std::vector<Case> const& cases, Plan const& plan, ToJson const& json_of,
              Show const& show) {
  bool const listed = !cases[0].named, single = cases.size() == 1 && !listed;
  std::optional<JsonStream> all;
  if (o.json && !single) all.emplace(stdout);
  std::size_t const failed = for_each_case(
      cases, plan,
      [&](auto const& planned) {
        if (all)
          all->add(json_of(planned));
        else if (o.json)
          print("{}\n", json_text(json_of(planned)));
        else
          show(planned);
        std::fflush(stdout);
      },
      [&](Case const& c, Fault const& fault) {
        std::string const problem = c.problem ? text(*c.problem) : c.line;
        if (all)
          all->add({{"problem", problem}, {"unsupported", fault.why}});
        else
          print("{}\nunsupported: {}\n", escaped(problem), escaped(fault.why));
        std::fflush(stdout);
      });
  if (all) all->finish();
  if (listed && !o.json && !o.ranks.text)
    print("{} planned, {} unsupported\n", cases.size() - failed, failed);
  return failed ? answer_is_no : done;
}

int run_over_ranks(PlanOptions const& o, std::vector<Case> const& cases) {
  if (o.ranks.rank && *o.ranks.rank >= *o.ranks.ranks)
    refuse(formatted("--rank is '{}' but must be a whole number from 0 to {}", *o.ranks.rank,
                     *o.ranks.ranks - 1));
  return run_cases(
      o, cases, [&](Problem const& problem) { return plan_over_ranks(o.ranks, problem, o.machine); },
      [](PlanOverRanks const& plan) { return to_json(plan); },
      [&](PlanOverRanks const& plan) {
        if (o.ranks.text)
          print("{}\n", plan.planned.text);
        else
          print_plan(plan);
      });
}

gpu::Language language_from(std::string const& name) {
  return name == "ptx" ? gpu::Language::ptx : name == "cuda" ? gpu::Language::cuda : gpu::Language::opencl;
}

// A comment before each kernel, as all three languages have it.
void print_sources(std::vector<gpu::KernelSource> const& sources) {
  for (gpu::KernelSource const& source : sources)
    print("{}// {}\n{}", &source == sources.data() ? "" : "\n", source.title, source.text);
}

Json to_json(std::vector<gpu::KernelSource> const& sources) {
  Json kernels = Json::array();
  for (gpu::KernelSource const& source : sources)
    kernels.push_back({{"of", source.title}, {"text", source.text}});
  return {{"kernels", kernels}};
}

int run(PlanOptions const& o) {
  std::vector<Case> const cases = cases_from(o.problems, {});
  if (cases.empty()) refuse("it needs a shape such as 512x512x512, a problem, --list FILE or --suite NAME");
  machine_text(o.machine);  // a wrong machine is one error, not one for each case
  if (o.ranks.ranks) return run_over_ranks(o, cases);
  bool const listed = !cases[0].named;
  PlanningOptions const options{.clusters = !o.no_clusters,
                                .l2_blocks = !o.no_l2_blocks,
                                .max_candidates = listed ? 1 : 1 + o.runner_ups};
  if (o.source)
    return run_cases(
        o, cases,
        [&](Problem const& problem) {
          return gpu::kernel_sources(problem, machine_text(o.machine), options, language_from(*o.source));
        },
        [](std::vector<gpu::KernelSource> const& sources) { return to_json(sources); }, print_sources);
  return run_cases(
      o, cases,
      [&](Problem const& problem) {
        return Planned{problem, planned(problem, o.machine, options)};
      },
      [&](Planned const& plan) { return to_json(plan, o.machine); },
      [&](Planned const& plan) { listed ? print_line(plan) : print_plan(plan, o.machine); });
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
  add_choice(c, "--source", "LANGUAGE", o->source, {"ptx", "cuda", "opencl"},
             "print the kernels instead: as PTX, CUDA C++ or OpenCL C");
  add_flag(c, "--json", o->json, "as JSON");
  problem_options(c, o->problems);
  plan_ranks_options(c, o->ranks);
  for (char const* const of_one_device : {"--runner-ups", "--no-clusters", "--no-l2-blocks", "--source"})
    exclude(c, {"--ranks", of_one_device});
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
