// `skipper bench --exchanges`: the ways in which GPUs exchange data, beside each other.
#pragma once

#include "command.h"

namespace skipper::cli {

std::vector<Option> exchanges_options();
int bench_exchanges(Args const& args);

}  // namespace skipper::cli
