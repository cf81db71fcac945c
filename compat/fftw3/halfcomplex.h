// Between n/2+1 complex numbers of a line of n reals and FFTW's halfcomplex order of such a spectrum as n reals:
//   r0 r1 r2 ... r(n/2) i((n+1)/2-1) ... i2 i1
#pragma once

#include "call.h"

namespace skipper::fftw3 {

/// Lines of `n` reals with these strides, and the dense lines of n/2+1 complex numbers that belong to them.
struct Lines {
  Index n = 1, stride = 1;
  Index count = 1, distance = 0;  // between lines of reals
};

void unpack_halfcomplex(Lines const& lines, Real const* spectrum, Real* to);
void pack_halfcomplex(Lines const& lines, Real const* from, Real* spectrum);

}  // namespace skipper::fftw3
