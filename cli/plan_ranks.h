// `skipper plan --ranks`: the stages of a problem over ranks, predicted for any machine and links.
#pragma once

#include <skipper/problem.h>

#include "args.h"

namespace skipper::cli {

// --ranks, --rank, --text, and those that say how the array is spread.
std::vector<Option> plan_ranks_options();

int plan_ranks(Args const& args, Problem const& problem, std::string const& machine);

}  // namespace skipper::cli
