// `skipper bench --exchanges`: the ways in which GPUs exchange data, beside each other.
#pragma once

#include "bench_options.h"

namespace skipper::cli {

// --exchanges and --only-all.
void exchanges_options(CLI::App& command, BenchOptions& to);
int bench_exchanges(BenchOptions const& options);

}  // namespace skipper::cli
