// `skipper plan`: the program of a problem on a machine, here or not, with what each sweep moves and what came second.
#include <skipper/planning.h>

#include <algorithm>
#include <cstdio>

#include "cases.h"
#include "command.h"
#include "escape.h"
#include "json.h"
#include "plan_ranks.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

Json sweep_json(PlannedSweep const& sweep) {
  return Json::Object{
      {"tier", sweep.tier},
      {"blocks", sweep.blocks},
      {"tile_bytes", sweep.tile_bytes},
      {"segment_bytes", std::min(sweep.read_segment_bytes, sweep.write_segment_bytes)},
      {"read_segment_bytes", sweep.read_segment_bytes},
      {"write_segment_bytes", sweep.write_segment_bytes},
      {"chunk_bytes", sweep.chunk_bytes},
      {"sub_transforms", Json::Array(sweep.sub_transforms.begin(), sweep.sub_transforms.end())},
      {"estimate", sweep.estimate},
  };
}

Json::Object program_json(PlannedProgram const& program) {
  Json::Array sweeps;
  for (PlannedSweep const& sweep : program.sweeps) sweeps.push_back(sweep_json(sweep));
  return {{"estimate", program.estimate},
          {"estimated_seconds", program.seconds},
          {"program", program.text},
          {"sweeps", sweeps}};
}

Json planned_json(Problem const& problem, std::string const& machine,
                  std::vector<PlannedProgram> const& programs) {
  Json::Object result{{"problem", text(problem)}, {"machine", machine_text(machine)}};
  for (auto& entry : program_json(programs[0])) result.push_back(entry);
  Json::Array others;
  for (std::size_t i = 1; i < programs.size(); ++i) others.push_back(program_json(programs[i]));
  result.emplace_back("runner_ups", others);
  return result;
}

void print_program(PlannedProgram const& program) {
  Table table({"  sweep", "tier", "tile", "reads in", "writes in", "x copy"});
  for (std::size_t i = 0; i < program.sweeps.size(); ++i) {
    PlannedSweep const& s = program.sweeps[i];
    std::string const tier = s.tier == "cluster" ? "cluster of " + std::to_string(s.blocks)
                             : s.chunk_bytes     ? s.tier + ", chunked"
                                                 : s.tier;
    table.add({"  " + std::to_string(i + 1), tier, bytes_text(double(s.tile_bytes)),
               bytes_text(double(s.read_segment_bytes)), bytes_text(double(s.write_segment_bytes)),
               number_text(s.estimate)});
  }
  for (PlannedSweep const& s : program.sweeps) std::printf("  %s\n", s.text.c_str());
  std::printf("%s", table.text().c_str());
}

void print_planned(Problem const& problem, std::string const& machine,
                   std::vector<PlannedProgram> const& programs) {
  PlannedProgram const& best = programs[0];
  std::printf("%s on %s: %zu %s, about %s x copy, %s\n", text(problem).c_str(), machine.c_str(),
              best.sweeps.size(), best.sweeps.size() == 1 ? "sweep" : "sweeps",
              number_text(best.estimate).c_str(), seconds_text(best.seconds).c_str());
  print_program(best);
  for (std::size_t i = 1; i < programs.size(); ++i) {
    std::printf("runner-up %zu, about %s x copy\n", i, number_text(programs[i].estimate).c_str());
    for (PlannedSweep const& s : programs[i].sweeps) std::printf("  %s\n", s.text.c_str());
  }
}

// A list is about what can be planned, so one that cannot is a line of the answer and not the end. The answer is no
// where none can.
int run_list(Args const& args, std::vector<Case> const& cases, std::string const& machine,
             PlanningOptions options) {
  options.most = 1;
  machine_text(machine);  // a wrong machine is one error, not one for each case
  Json::Array all;
  Progress progress(cases.size());
  std::size_t unsupported = 0;
  for (Case const& c : cases) {
    std::string fault = c.fault;
    progress.step(c.line);
    try {
      if (c.problem) {
        auto const programs = planned(*c.problem, machine, options);
        progress.clear();
        if (args.has("--json"))
          all.push_back(planned_json(*c.problem, machine, programs));
        else
          std::printf("%s %s x copy\n", programs[0].text.c_str(), number_text(programs[0].estimate).c_str());
      }
    } catch (Error const& e) {
      fault = e.what();
    }
    if (fault.empty()) continue;
    ++unsupported;
    progress.clear();
    if (args.has("--json"))
      all.push_back(Json::Object{{"problem", c.problem ? text(*c.problem) : c.line}, {"unsupported", fault}});
    else
      std::printf("%s\nunsupported: %s\n", escaped(c.line).c_str(), escaped(fault).c_str());
  }
  if (args.has("--json"))
    std::printf("%s\n", Json(all).text().c_str());
  else
    std::printf("%zu planned, %zu unsupported\n", cases.size() - unsupported, unsupported);
  return unsupported < cases.size() ? done : answer_is_no;
}

int run(Args const& args) {
  std::string const machine = args.value_or("--machine", "host");
  PlanningOptions options;
  options.clusters = !args.has("--no-clusters");
  options.chunks = !args.has("--no-chunks");
  options.most = 1 + int(args.integer_or("--runner-ups", 2, 0, 100));
  std::vector<Case> const cases = cases_from(args, {});
  if (cases.empty())
    args.refuse("it needs a shape such as 512x512x512, a problem, --list FILE or --suite NAME");
  if (args.has("--ranks")) {
    if (args.operands().empty()) args.refuse("--ranks is about one problem; give it in place of a list");
    return plan_ranks(args, *cases[0].problem, machine);
  }
  for (Option const& o : plan_ranks_options())
    if (args.has(o.name)) args.refuse(o.name + " is about plans over ranks; give --ranks N too");
  if (args.operands().empty()) return run_list(args, cases, machine, options);
  Problem const& problem = *cases[0].problem;
  auto const programs = planned(problem, machine, options);
  if (args.has("--json"))
    std::printf("%s\n", planned_json(problem, machine, programs).text().c_str());
  else
    print_planned(problem, machine, programs);
  return done;
}

}  // namespace

Command plan_command() {
  std::vector<Option> const options{
      {"--machine", "NAME", "host (default), a name out of `skipper info`, or a machine's text"},
      {"--runner-ups", "N", "other programs to show (default 2)"},
      {"--no-clusters", "", "hold no tile in clusters of blocks"},
      {"--no-chunks", "", "run no sweeps through L2"},
      {"--json", "", "as JSON"}};
  return {
      "plan",
      "SHAPE|PROBLEM",
      "the program for a problem on any machine: sweeps, bytes, estimate, runner-ups",
      "SHAPE is 512x512x512, slowest axis first; PROBLEM its whole text, 'c2c f32 forward 64x64 batch 8'.\n"
      "With --ranks it prints stages and exchanges, bytes on the links, time by phase and memory of a rank.",
      together({options, problem_options(), list_options(), plan_ranks_options()}),
      run};
}

}  // namespace skipper::cli
