// The planner's candidates as plain public values.
#include <skipper/planning.h>

#include <sstream>

#include "base/machine.h"
#include "cpu/engine.h"
#include "plan/cost.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
namespace {

Machine machine_of(std::string_view text) {
  return same_word(text, host_name) ? cpu::measured_host_machine() : machine(text);
}

bool l2_blocked(Program const& program, std::size_t s) {
  return program.sweeps[s].l2_block || (s > 0 && program.sweeps[s - 1].l2_block);
}

/// What each sweep costs by itself; those that go through L2 together share what the whole program leaves them.
std::vector<double> estimates(Program const& program, Machine const& machine) {
  std::size_t const m = program.sweeps.size();
  std::vector<double> cost(m);
  double left = program_cost(program, machine), through_l2_blocks = 0;
  for (std::size_t s = 0; s < m; ++s) {
    cost[s] = sweep_cost(program, int(s), machine);
    (l2_blocked(program, s) ? through_l2_blocks : left) += l2_blocked(program, s) ? cost[s] : -cost[s];
  }
  for (std::size_t s = 0; s < m; ++s)
    if (l2_blocked(program, s)) cost[s] *= left / through_l2_blocks;
  return cost;
}

PlannedSweep planned_sweep(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  Tile const tile = tile_of(program, s);
  Index const element = element_bytes(program.problem);
  PlannedSweep result;
  result.tier = name(sweep.tier);
  result.blocks = sweep.cluster_ranks;
  result.tile_bytes = tile_points(tile) * element;
  result.read_segment_bytes = read_segment(tile) * tile.read_bytes;
  result.write_segment_bytes = write_segment(tile) * tile.write_bytes;
  result.l2_block_bytes = sweep.l2_block;
  for (DigitKey d : sweep.transforms)
    result.sub_transforms.push_back(program.dims[d.dim].name + text(sub_transform(program, d)));
  return result;
}

PlannedProgram planned_program(Candidate const& candidate, Machine const& machine) {
  Program const& program = candidate.program;
  PlannedProgram result;
  result.text = text(program);
  result.estimate = candidate.cost;
  double const bytes = double(in_bytes(program.problem)) + double(out_bytes(program.problem));
  bool const gpu = machine.kind == MachineKind::gpu;
  result.seconds = candidate.cost * (gpu ? copy_ns(bytes, machine) * 1e-9 : bytes / machine.copy_bandwidth);
  std::vector<double> const cost = estimates(program, machine);
  std::istringstream lines(result.text);
  std::string line;
  std::getline(lines, line);  // the problem
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    result.sweeps.push_back(planned_sweep(program, s));
    result.sweeps.back().estimate = cost[s];
    std::getline(lines, result.sweeps.back().text);
  }
  return result;
}

}  // namespace

std::vector<PlannedProgram> planned(Problem const& problem, std::string_view machine,
                                    PlanningOptions const& options) {
  check(problem);
  if (options.max_candidates < 1)
    throw Error("max_candidates", "is " + std::to_string(options.max_candidates) + " but must be at least 1");
  Machine const facts = machine_of(machine);
  std::vector<PlannedProgram> result;
  for (Candidate const& candidate :
       planner(problem, facts, {options.clusters, options.l2_blocks, options.max_candidates}))
    result.push_back(planned_program(candidate, facts));
  return result;
}

std::string machine_text(std::string_view machine) { return text(machine_of(machine)); }

}  // namespace skipper
