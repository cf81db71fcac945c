// The one place that knows which precision is compiled: all sources here are compiled twice, for libskipper_fftw3 and,
// with SKIPPER_FFTW_SINGLE, for libskipper_fftw3f.
#pragma once

#include <skipper/problem.h>

#define FFTW_NO_QUAD  // which is not replaced here, and has a type of its own on some machines
#include "include/fftw3.h"

#ifdef SKIPPER_FFTW_SINGLE
#define FFTW_NAME(name) FFTW_MANGLE_FLOAT(name)
#define FORTRAN_NAME(name) sfftw_##name##_
#define FORTRAN_NAME_TWO(name) sfftw_##name##__
#else
#define FFTW_NAME(name) FFTW_MANGLE_DOUBLE(name)
#define FORTRAN_NAME(name) dfftw_##name##_
#define FORTRAN_NAME_TWO(name) dfftw_##name##__
#endif

namespace skipper::fftw3 {

#ifdef SKIPPER_FFTW_SINGLE
using Real = float;
inline constexpr Precision precision = Precision::f32;
inline constexpr char prefix[] = "fftwf";
#else
using Real = double;
inline constexpr Precision precision = Precision::f64;
inline constexpr char prefix[] = "fftw";
#endif

using FftwComplex = FFTW_NAME(complex);
using FftwPlan = FFTW_NAME(plan);
using FftwKind = FFTW_NAME(r2r_kind);

}  // namespace skipper::fftw3
