// Names of FFTW's MPI interface in the precision that is compiled.
#pragma once

#include "precision.h"

#ifdef SKIPPER_FFTW_SINGLE
#define MPI_NAME(name) FFTW_MPI_MANGLE_FLOAT(name)
#else
#define MPI_NAME(name) FFTW_MPI_MANGLE_DOUBLE(name)
#endif
