// A line longer than the cache as two sweeps, n = first x second: columns of `first`, twiddles, lines of `second`.
#pragma once

#include "cpu/schedule.h"

namespace skipper::cpu {

/// Appends the stages that take spec's one axis from `from` to `to` by way of Array::line; its loops are left to the
/// group. Real ends must be contiguous and even.
template <class T>
void add_long_line(Group<T>& group, StepSpec const& spec, Array from, Array to, Kernels const& kernels);

}  // namespace skipper::cpu
