// Of programs that are ranked by guessed costs, the best that kernels can run, with their costs when lowered.
#pragma once

#include <vector>

#include "plan/candidates.h"

namespace skipper {

/// Cheapest first; of equals the one with fewer sweeps, then the one that was there first.
void rank(std::vector<Candidate>& found);

/// The first `most` that kernels can run, ranked: not every tile can be shared out among threads and clusters.
std::vector<Candidate> runnable(std::vector<Candidate> found, Planning const& context, int most);

}  // namespace skipper
