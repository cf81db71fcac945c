// f16 and bf16 problems whose neighbours in memory belong to different transforms, as along a slow axis of an array: columns. A
// tile of neighbouring columns that fits in cache is widened to f32, transformed side by side, and rounded to 16 bits.
#pragma once

#include "cpu/callbacks.h"

namespace skipper::cpu {

/// Whether the problem can be done so: a batch dimension is contiguous on both sides, and some of its columns fit in cache.
bool has_narrow_columns(Problem const& problem, Machine const& machine, Options const& options);

Needs needs_of_narrow_columns(Problem const& problem, Machine const& machine, Options const& options);

std::unique_ptr<BufferedTransform const> make_narrow_columns(Problem const& problem, Machine const& machine,
                                                             Options const& options);

}  // namespace skipper::cpu
