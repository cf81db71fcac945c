// Mixing: programs in which each sweep transforms its primes by the algorithm that suits it best. Candidates have one algorithm for all sweeps,
// chosen before they are lowered; where that guess was wrong for a sweep, other algorithms and tiles are tried there alone.
#pragma once

#include <optional>
#include <vector>

#include "plan/candidates.h"

namespace skipper {

/// The candidate with other algorithms and tiles in the sweeps that cost much more than was guessed; nothing where that gains nothing.
std::optional<Candidate> mixed(Candidate const& candidate, Planning const& context);

/// The same of a few candidates, ranked, of which much less is guessed than the cheapest so far costs.
std::vector<Candidate> mixed_by_hope(std::vector<Candidate> const& ranked, Planning const& context);

}  // namespace skipper
