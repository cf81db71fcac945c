// The state of FFTW's threads calls.
#pragma once

#include "program.h"

namespace skipper::fftw3 {

/// For plans that are made now.
Team current_team();

}  // namespace skipper::fftw3
