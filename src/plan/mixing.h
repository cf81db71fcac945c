// Mixing: programs in which each sweep transforms its primes in the way that suits it best. Candidates have one way for all sweeps,
// chosen before they are lowered; where that guess was wrong for a sweep, other ways and tiles are tried there alone.
#pragma once

#include <optional>

#include "plan/candidates.h"

namespace skipper {

/// The candidate with other ways in the sweeps that cost much more than was guessed; nothing where that gains nothing.
std::optional<Candidate> mixed(Candidate const& candidate, Planning const& context);

}  // namespace skipper
