// How exact a convolution is: every output against the sum that defines it.
#pragma once

#include <skipper/convolution.h>

#include "reference/accuracy.h"

namespace skipper::reference {

/// `in` and `kernel` are what was convolved, unchanged; `out` what came of it. Errors are relative to the root mean square that
/// outputs have whose sums are complete. Each output takes as many multiplications as the kernel has points that are not zero, so
/// give it one with few. `threads`: 0 is one for each core.
Accuracy accuracy(ConvolutionProblem const& problem, void const* in, void const* kernel, void const* out,
                  int threads = 0);

/// What a good one stays below: three transforms, of data, kernel and product.
double allowed_l2(ConvolutionProblem const& problem);

}  // namespace skipper::reference
