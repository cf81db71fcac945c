// Corrects the predicted slowdown of sweeps that convolve whole lines by Bluestein or Rader: measured over predicted.
#pragma once

#include "plan/lower/configuration.h"

namespace skipper {

/// The longest prime that counts as short by Rader.
inline constexpr Index short_prime = 127;

double line_convolution_correction(Program const& program, Configuration const& configuration,
                                   Tile const& tile);

}  // namespace skipper
