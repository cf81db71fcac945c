// `skipper fft` over ranks: each maps its slab of the input file and writes its slab of the output file, which appears whole or
// not at all.
#pragma once

#include "fft_options.h"

namespace skipper::cli {

int fft_on_ranks(FftOptions const& options, Ranks const& ranks);

}  // namespace skipper::cli
