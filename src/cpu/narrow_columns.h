// f16 and bf16 problems whose neighbours in memory are of different transforms, as along a slow axis of an array. They are widened, done
// and rounded in the order of memory, many side by side (lanes), as much as a cache holds at a time.
#pragma once

#include "cpu/callbacks.h"

namespace skipper::cpu {

/// Whether the problem can be done so: a dimension of the batch has neighbours on both sides, and some of its lines fit the cache.
bool has_narrow_columns(Problem const& problem, Machine const& machine, Options const& options);

Needs needs_of_narrow_columns(Problem const& problem, Machine const& machine, Options const& options);

std::unique_ptr<BufferedTransform const> make_narrow_columns(Problem const& problem, Machine const& machine,
                                                             Options const& options);

}  // namespace skipper::cpu
