// How an array is spread over ranks, from the command line: the same options for planning and measuring.
#pragma once

#include <skipper/distributed.h>

#include "args.h"

namespace skipper::cli {

// --in, --out, --any-output, --pieces, --links and --program.
std::vector<Option> distribution_options();

// Their values, for a problem over so many ranks.
DistributedSettings distribution_from(Args const& args, Problem const& problem, int ranks);

// Refuses what only a command on one device takes.
void demand_absent(Args const& args, std::vector<std::string> const& options, std::string const& why);

}  // namespace skipper::cli
