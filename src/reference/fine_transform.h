// A Fourier transform of any length in double-double, by the prime factors of n, a large prime's by Bluestein's
// algorithm. Some 10^15 times more exact than f64, and written for nothing else.
#pragma once

#include <vector>

#include "reference/number.h"

namespace skipper::reference {

/// sum over j of x[j] exp(-2 pi i j k / n), for every k.
std::vector<Fine> fine_transform(std::vector<Fine> const& x);

}  // namespace skipper::reference
