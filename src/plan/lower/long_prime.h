// What sweeps of primes that no block holds take, over what the model says.
#pragma once

#include "plan/lower/cut.h"

namespace skipper {

double beyond_long_prime(Program const& program, Cut const& cut, Tile const& tile);

}  // namespace skipper
