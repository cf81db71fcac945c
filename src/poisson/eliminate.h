// Elimination along the columns of a slice in host memory: what a device that is the CPU does for stream::Elimination.
#pragma once

#include "stream/divide.h"

namespace skipper::poisson {

/// Columns first .. first + count - 1 of all; `from` and `to` are [rows][count] and may be one.
void eliminate(stream::Elimination const& by, Index first, Index count, void const* from, void* to,
               void* constant, stream::Loop const& loop);

}  // namespace skipper::poisson
