// `skipper bench --distributed`: a transform over ranks, timed by phase and verified.
#pragma once

#include "args.h"

namespace skipper::cli {

// --distributed, and those that say on which ranks and how the array is spread.
std::vector<Option> bench_ranks_options();

int bench_on_ranks(Args const& args);

}  // namespace skipper::cli
