// The numbers that definitions are evaluated in: double for f32 and 16-bit storage, double-double for f64.
#pragma once

#include "base/complex_of.h"

namespace skipper::reference {

template <class R>
using Complex = ComplexOf<R>;

using Fine = Complex<DoubleDouble>;

inline double rounded(double x) { return x; }
inline double rounded(DoubleDouble const& x) { return to_double(x); }

}  // namespace skipper::reference
