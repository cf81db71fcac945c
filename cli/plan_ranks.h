// `skipper plan --ranks`: the stages of a problem over ranks, predicted for any machine and links.
#pragma once

#include <skipper/distributed_planning.h>
#include <skipper/problem.h>

#include <optional>
#include <string>

#include "json.h"
#include "rank_settings.h"

namespace skipper::cli {

struct PlanRanksOptions {
  std::optional<int> ranks, rank;
  bool text = false;
  DistributionOptions distribution;
};

// --ranks, --rank, --text, and those that say how the array is spread. --json is the command's own.
void plan_ranks_options(CLI::App& command, PlanRanksOptions& to);

// One problem's plan, and how it is shown.
struct PlanOverRanks {
  Problem problem;
  int ranks;
  std::optional<int> rank;  // the one to show
  std::string machine;
  PlannedRanks planned;
};
PlanOverRanks plan_over_ranks(PlanRanksOptions const& options, Problem const& problem,
                              std::string const& machine);
Json to_json(PlanOverRanks const& plan);
void print_plan(PlanOverRanks const& plan);

}  // namespace skipper::cli
