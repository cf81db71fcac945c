// A line longer than the cache: as two sweeps, n = first x second: columns of `first`, twiddles, lines of `second`; where
// n has large primes, as a convolution in three. Array::line holds what no array of the user's does between the sweeps.
#pragma once

#include "cpu/schedule.h"

namespace skipper::cpu {

/// Whether a complex line of n, too long for one sweep, can be done so: n = first x second about equal, or large primes.
template <class T>
bool takes_long_line(Index n, Kernels const& kernels);

/// Whether one of any ends, with large primes, can be done as a convolution.
template <class T>
bool takes_long_convolution(Index n, Ends ends, Kernels const& kernels);

/// Appends the stages that take spec's one axis from `from` to `to`, which are `apart` or one array, by way of Array::line,
/// and returns how many scalars they need of that; spec's loops are left to the group. Real ends must be contiguous where n
/// is even.
template <class T>
Index add_long_line(Group<T>& group, StepSpec const& spec, Array from, Array to, bool apart,
                    TableMaker& tables);

/// The same for large primes only, of any ends.
template <class T>
Index add_long_convolution(Group<T>& group, StepSpec const& spec, Array from, Array to, bool apart,
                           TableMaker& tables);

/// The same for an odd number of reals without large primes.
template <class T>
Index add_long_reals(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables);

/// The same for a cosine or sine axis.
template <class T>
Index add_long_trig(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables);

}  // namespace skipper::cpu
