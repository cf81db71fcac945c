#pragma once
// Outputs begin unset (emulator/unset.h), and no kernel may store an unset number. So afterwards all that the problem owns must be
// set, and all gaps must not.
#include "plan/program.h"
#include "support/run_program.h"

namespace skipper::testing {

/// Where the elements of batch entry b stand on one side, in the row-major order of the axes.
std::vector<Index> places(Problem const& problem, Index b, bool output);

/// Fails where an output of the problem was not written, or a gap was. Of a problem that is not in place.
template <class T>
void verify_written(Problem const& problem, Array<T> const& out);

extern template void verify_written(Problem const&, Array<float> const&);
extern template void verify_written(Problem const&, Array<double> const&);

}  // namespace skipper::testing
