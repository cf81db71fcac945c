// How an array is spread over ranks, from the command line: the same options for planning and measuring.
#pragma once

#include <skipper/distributed.h>

#include <optional>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

struct DistributionOptions {
  std::vector<std::int64_t> in, out;  // grids of boxes; empty: as the planner likes
  bool any_output = false;
  bool permuted_in = false, permuted_out = false;  // of an axis that is split over ranks
  int pieces = 0;
  std::string links;
  std::optional<std::string> program;  // a file
};

// --in, --out, --any-output, --permuted-in, --permuted-out, --pieces, --links and --program.
void distribution_options(CLI::App& command, DistributionOptions& to);

// Their values, for a problem over so many ranks.
DistributedSettings distribution_from(DistributionOptions const& options, Problem const& problem, int ranks);

}  // namespace skipper::cli
