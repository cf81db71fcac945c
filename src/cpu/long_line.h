// A line longer than the cache: as two sweeps, n = first x second: columns of `first`, twiddles, lines of `second`; where
// n has large primes, as a convolution in three. Array::line holds what no array of the user's does between the sweeps.
#pragma once

#include "cpu/schedule.h"
#include "cpu/trig.h"

namespace skipper::cpu {

/// Whether a complex line of n, too long for one sweep, can be done so: n = first x second about equal, or large primes.
template <class T>
bool long_line_applies(Index n, Kernels const& kernels);

/// The first of these.
bool two_sweeps_apply(Index n);

/// Whether an odd number of reals, with large primes, can be done as a convolution.
template <class T>
bool long_reals_apply(Index n, LineKind line_kind, Kernels const& kernels);

/// Appends the steps that take spec's one axis from `from` to `to`, which are `apart` or one array, by way of Array::line,
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

/// Whether an odd line has large primes that Rader's rule does not help with: then two real sums over half of it, by
/// Bluestein's rule, take less than a complex line.
template <class T>
bool long_sums_apply(Index n, Kernels const& kernels);

/// Tables for such sums over a line of n.
template <class T>
struct SumTables;
template <class T>
using SharedSums = std::shared_ptr<SumTables<T> const>;
template <class T>
SharedSums<T> make_long_sums(Index n, TableMaker& tables);

/// Appends the steps that put such sums in the place of n/2+1 contiguous pairs, one sum of the real parts and one of the
/// imaginary ones; returns as add_long_line() does.
template <class T>
Index add_long_sums(Group<T>& group, SharedSums<T> const& pairs, PairSums sums, Array at, TableMaker& tables);

/// The same for a cosine or sine axis.
template <class T>
Index add_long_trig(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables);

}  // namespace skipper::cpu
