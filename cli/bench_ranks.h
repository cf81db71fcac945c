// `skipper bench --distributed`: a transform over ranks, timed by phase and verified.
#pragma once

#include "bench_options.h"

namespace skipper::cli {

// --distributed, --exchange, and those that say on which ranks and how the array is spread.
void bench_ranks_options(CLI::App& command, BenchOptions& to);

int bench_on_ranks(BenchOptions const& options);

}  // namespace skipper::cli
