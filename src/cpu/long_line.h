// Lines longer than the cache. With n = first x second they take two sweeps (the four-step transform): columns of `first`,
// twiddles, lines of `second`. Where n has large primes they are a convolution in three sweeps. Array::line holds what does
// not fit in the user's arrays between the sweeps.
#pragma once

#include "cpu/schedule.h"
#include "cpu/trig.h"

namespace skipper::cpu {

/// Whether a complex line of n can be done so: n = first x second with factors of similar size, or a convolution.
template <class T>
bool long_line_applies(Index n, Kernels const& kernels);

/// Whether two sweeps can do it.
bool two_sweeps_apply(Index n);

/// Whether an odd number of reals, with large primes, can be done as a convolution.
template <class T>
bool long_reals_apply(Index n, LineKind line_kind, Kernels const& kernels);

/// Appends the steps that transform the axis of `spec` from `from` to `to`, which are two arrays (`out_of_place`) or
/// one. Returns how many scalars of Array::line they need. The group does the loops of `spec`. Reals must be
/// contiguous where n is even.
template <class T>
Index add_long_line(Group<T>& group, StepSpec const& spec, Array from, Array to, bool out_of_place,
                    TableMaker& tables);

/// The same as a convolution, where n has large primes; for complex numbers and reals.
template <class T>
Index add_long_convolution(Group<T>& group, StepSpec const& spec, Array from, Array to, bool out_of_place,
                           TableMaker& tables);

/// The same for an odd number of reals without large primes.
template <class T>
Index add_long_reals(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables);

/// Whether two real sums over half of an odd line, by Bluestein, take less than a complex line: where n has large primes and
/// Rader does not apply.
template <class T>
bool long_sums_apply(Index n, Kernels const& kernels);

/// The tables of such sums over a line of n.
template <class T>
struct SumTables;
template <class T>
using SharedSums = std::shared_ptr<SumTables<T> const>;
template <class T>
SharedSums<T> make_long_sums(Index n, TableMaker& tables);

/// Appends the steps that replace n/2+1 contiguous pairs by such sums, one sum over the first numbers of the pairs and one over
/// the second; returns as add_long_line() does.
template <class T>
Index add_long_sums(Group<T>& group, SharedSums<T> const& pairs, PairSums sums, Array at, TableMaker& tables);

/// The same for a cosine or sine axis.
template <class T>
Index add_long_trig(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables);

}  // namespace skipper::cpu
