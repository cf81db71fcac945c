// How libskipper_fftw3_mpi hands over its plans, which FFTW's programs execute and destroy by the calls of libskipper_fftw3: the
// one symbol of that library which FFTW does not have.
#pragma once

#include "precision.h"

namespace skipper::fftw3 {

/// Somebody else's plan. Functions of C, so that the two libraries need not share more than this.
struct Adopted {
  void* self = nullptr;
  void (*execute)(void* self, Real* in, Real* out) = nullptr;
  void (*destroy)(void* self) = nullptr;
  Real* in = nullptr;  // what it was planned for
  Real* out = nullptr;
  Kind kind = Kind::c2c;  // which of the calls that take new arrays are for it
  double operations = 0;
  char const* text = "";  // for fftw_print_plan; copied
};

}  // namespace skipper::fftw3

#ifdef SKIPPER_FFTW_SINGLE
#define SKIPPER_FFTW_ADOPT skipper_fftwf_adopt
#else
#define SKIPPER_FFTW_ADOPT skipper_fftw_adopt
#endif

/// Null, with nothing destroyed, where there is no memory for it.
extern "C" skipper::fftw3::FftwPlan SKIPPER_FFTW_ADOPT(skipper::fftw3::Adopted const* plan);
