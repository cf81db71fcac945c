// `skipper fft` over ranks: each maps its slab of the input file and writes its slab of the output file, which appears whole or
// not at all.
#pragma once

#include "args.h"
#include "ranks.h"

namespace skipper::cli {

int fft_on_ranks(Args const& args, Ranks const& ranks);

}  // namespace skipper::cli
