// What sweeps that convolve whole lines take, by Bluestein or by Rader, over what the model says.
#pragma once

#include "plan/lower/configuration.h"

namespace skipper {

/// The longest prime that counts as short by Rader.
inline constexpr Index short_prime = 127;

double beyond_line(Program const& program, Configuration const& configuration, Tile const& tile);

}  // namespace skipper
