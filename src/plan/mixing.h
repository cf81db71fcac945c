// Mixing: programs in which each sweep transforms its primes by the algorithm that suits it best. Candidates have one
// algorithm for all sweeps, chosen before they are lowered; where that guess was wrong for a sweep, other algorithms and
// tiles are tried for that sweep alone.
#pragma once

#include <optional>
#include <vector>

#include "plan/candidates.h"

namespace skipper {

/// The candidate with other algorithms and tiles in the sweeps that cost much more than was guessed; nothing where that gains
/// nothing.
std::optional<Candidate> mixed(Candidate const& candidate, Planning const& context);

/// The same of the few ranked candidates whose guessed cost is much below that of the cheapest so far.
std::vector<Candidate> mixed_where_promising(std::vector<Candidate> const& ranked, Planning const& context);

}  // namespace skipper
