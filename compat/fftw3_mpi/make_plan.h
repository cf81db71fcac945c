// From a job to FFTW's plan, which libskipper_fftw3 executes and destroys.
#pragma once

#include <mpi.h>

#include "adopt.h"
#include "job.h"

namespace skipper::fftw3 {

/// A planner call but for the arrays: sizes, blocks (0: the default), flags. No Job where an argument makes no sense, or where
/// blocks are more than processes.
struct Request {
  Kind kind = Kind::c2c;
  int rank = 0;
  std::ptrdiff_t const* n = nullptr;
  std::ptrdiff_t howmany = 1, in_block = 0, out_block = 0;
  unsigned flags = 0;
};

/// Collective. Null where FFTW would return none, on every process alike. Never throws.
FftwPlan plan_transform(Request const& request, int sign, FftwKind const* kinds, Real* in, Real* out,
                        MPI_Comm comm) noexcept;
FftwPlan plan_transposition(Request const& request, Real* in, Real* out, MPI_Comm comm) noexcept;

}  // namespace skipper::fftw3
