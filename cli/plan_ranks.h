// `skipper plan --ranks`: the stages of a problem over ranks, predicted for any machine and links.
#pragma once

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

// Prints it, or returns it as JSON.
std::optional<Json> plan_ranks(PlanRanksOptions const& options, Problem const& problem,
                               std::string const& machine, bool as_json);

}  // namespace skipper::cli
