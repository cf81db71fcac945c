// Programs as values, for any machine and without running anything: what the planner would do on a GPU that is not
// here, why, and what came second. Programs for the machine of a CPU are estimates that no engine runs: the CPU engine has
// schedules of its own (Plan::describe()).
#pragma once

#include <skipper/problem.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skipper {

// One sweep over the data. Estimates are in copies of the data: 1 is as fast as a copy.
struct PlannedSweep {
  std::string text;  // the line of the program
  std::string tier;  // where tiles are held: thread, block or cluster
  int blocks = 1;    // of the cluster
  std::int64_t tile_bytes = 0;
  std::int64_t read_segment_bytes = 0;
  std::int64_t write_segment_bytes = 0;
  std::int64_t l2_block_bytes = 0;          // what this sweep and the next take at a time through L2; 0: all
  std::vector<std::string> sub_transforms;  // "X(1,512,1,512,no-tw)"
  double estimate = 0;
};

struct PlannedProgram {
  std::string text;     // canonical: the problem, then a line a sweep
  double estimate = 0;  // time over that of a copy of the data, of all sweeps together
  double seconds = 0;   // the same as time: of a copy by the machine's bandwidth, and on a GPU its launch
  std::vector<PlannedSweep> sweeps;
};

struct PlanningOptions {
  bool clusters = true;    // hold tiles in clusters of blocks, where the machine has them
  bool l2_blocks = true;   // run pairs of sweeps through L2
  int max_candidates = 4;  // programs to return
};

// Best first, never empty. The machine is a name out of machine_names(), "host" for the one this runs on, or a full
// text as machine_text() gives. Throws Error where no program of a few sweeps, or of one
// sweep for each axis, fits the machine.
std::vector<PlannedProgram> planned(Problem const& problem, std::string_view machine,
                                    PlanningOptions const& options = {});

// The machines that are known by name, beside "host".
std::vector<std::string> machine_names();

// The facts about a machine as one line of text: `machine h200 gpu sm_90 sms 132 ...`.
std::string machine_text(std::string_view machine);

}  // namespace skipper
