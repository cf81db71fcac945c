// The C interface to the planner's candidates, tuning files and devices.
#include <skipper/device.h>
#include <skipper/planning.h>
#include <skipper/tuning.h>

#include "api/c_problem.h"

struct skipper_candidates {
  std::vector<skipper::PlannedProgram> programs;
};

using namespace skipper::c;
using skipper::Error;

namespace {

skipper::DeviceDescription device_at(int i) {
  std::vector<skipper::DeviceDescription> const all = skipper::devices();
  return all[index("i", i, all.size(), "devices")];
}

skipper::PlannedProgram const& candidate_at(skipper_candidates const* candidates, int i) {
  auto const& all = demanded(candidates, "candidates").programs;
  return all[index("i", i, all.size(), "candidates")];
}

skipper::PlanningOptions options_of(skipper_planning_options const* given) {
  if (!given) return {};
  return {truth_of("clusters", given->clusters), truth_of("l2_blocks", given->l2_blocks),
          given->max_candidates};
}

/// With something between two.
std::string joined(std::vector<std::string> const& texts, char const* between) {
  std::string all;
  for (std::string const& text : texts) all += (all.empty() ? "" : between) + text;
  return all;
}

}  // namespace

extern "C" {

skipper_planning_options skipper_planning_options_default(void) {
  skipper::PlanningOptions const options;
  return {options.clusters, options.l2_blocks, options.max_candidates};
}

int skipper_candidates_create(skipper_candidates** candidates, skipper_problem const* problem,
                              char const* machine, skipper_planning_options const* options) {
  return guarded([&] {
    demanded(candidates, "candidates") = nullptr;
    *candidates = new skipper_candidates{
        skipper::planned(problem_of(problem), &demanded(machine, "machine"), options_of(options))};
  });
}

void skipper_candidates_destroy(skipper_candidates* candidates) { delete candidates; }

int skipper_candidates_count(skipper_candidates const* candidates, int* count) {
  return guarded([&] { demanded(count, "count") = int(demanded(candidates, "candidates").programs.size()); });
}

int skipper_candidates_text(skipper_candidates const* candidates, int i, char* text, long long size,
                            long long* needed) {
  return guarded([&] { hand_out(candidate_at(candidates, i).text, text, size, needed); });
}

int skipper_candidates_get(skipper_candidates const* candidates, int i, skipper_candidate* candidate) {
  return guarded([&] {
    skipper::PlannedProgram const& program = candidate_at(candidates, i);
    demanded(candidate, "candidate") = {program.estimate, program.seconds, int(program.sweeps.size())};
  });
}

int skipper_candidates_get_sweep(skipper_candidates const* candidates, int i, int sweep,
                                 skipper_planned_sweep* planned) {
  return guarded([&] {
    std::vector<skipper::PlannedSweep> const& sweeps = candidate_at(candidates, i).sweeps;
    skipper::PlannedSweep const& s = sweeps[index("sweep", sweep, sweeps.size(), "sweeps")];
    demanded(planned, "planned") = {
        s.estimate, s.blocks, s.tile_bytes, s.read_segment_bytes, s.write_segment_bytes, s.l2_block_bytes};
  });
}

int skipper_machine_count(int* count) {
  return guarded([&] { demanded(count, "count") = int(skipper::machine_names().size()); });
}

int skipper_machine_name(int i, char* text, long long size, long long* needed) {
  return guarded([&] {
    std::vector<std::string> const all = skipper::machine_names();
    hand_out(all[index("i", i, all.size(), "machines")], text, size, needed);
  });
}

int skipper_machine_text(char const* machine, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(skipper::machine_text(&demanded(machine, "machine")), text, size, needed); });
}

int skipper_tuning_file(char const* device, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(skipper::tuning_file(device_of(device)), text, size, needed); });
}

int skipper_keep_tuned(char const* file, char const* device, char const* const* programs, int count) {
  return guarded([&] {
    demanded(file, "file");
    if (count < 0) throw Error("count", "is " + std::to_string(count) + " but must be at least 0");
    if (count > 0) demanded(programs, "programs");
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i)
      texts.emplace_back(&demanded(programs[i], ("programs[" + std::to_string(i) + "]").c_str()));
    skipper::keep_tuned(file, device_of(device), texts);
  });
}

int skipper_device_count(int* count) {
  return guarded([&] { demanded(count, "count") = int(skipper::devices().size()); });
}

int skipper_device_name(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(device_at(i).name, text, size, needed); });
}

int skipper_device_title(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(device_at(i).title, text, size, needed); });
}

int skipper_device_instruction_sets(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(joined(device_at(i).instruction_sets, " "), text, size, needed); });
}

int skipper_missing_for_gpu(char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(joined(skipper::missing_for_gpu(), "\n"), text, size, needed); });
}

int skipper_device_machine(int i, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(device_at(i).machine, text, size, needed); });
}

}  // extern "C"
