// The Fourier transform of reals as a whole: r2c computes one half of it, and the other half is its mirror image,
// X[-k] = conj(X[k]).
#pragma once

#include "request.h"

namespace skipper::python {

// Makes a request for c2c of a real array one for r2c into the dense complex array `whole`, of which it fills one half.
void make_half(Request& request, Layout& whole);

// Fills the other half. `inverse`: the transform with the other sign is wanted, which is the conjugate.
void mirror(void* data, Layout const& whole, Axes const& axes, bool inverse);

}  // namespace skipper::python
