// Corrects the predicted slowdown of sweeps of primes that no block holds: measured over predicted.
#pragma once

#include "plan/lower/configuration.h"

namespace skipper {

double long_prime_correction(Program const& program, Configuration const& configuration, Tile const& tile);

}  // namespace skipper
