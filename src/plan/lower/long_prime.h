// What sweeps of primes that no block holds take, over what the model says.
#pragma once

#include "plan/lower/configuration.h"

namespace skipper {

double beyond_long_prime(Program const& program, Configuration const& configuration, Tile const& tile);

}  // namespace skipper
