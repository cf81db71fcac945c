// FFTW-MPI's functions by the type of their numbers. It is linked by tests and a benchmark only.
#pragma once

#include <fftw3-mpi.h>

template <class T>
struct Fftw;
#define SKIPPER_TEST_FFTW(real_type, prefix)                               \
  template <>                                                              \
  struct Fftw<real_type> {                                                 \
    using Complex = prefix##_complex;                                      \
    static constexpr auto init = prefix##_mpi_init;                        \
    static constexpr auto local_size = prefix##_mpi_local_size_transposed; \
    static constexpr auto complex = prefix##_mpi_plan_dft;                 \
    static constexpr auto to_complex = prefix##_mpi_plan_dft_r2c;          \
    static constexpr auto to_real = prefix##_mpi_plan_dft_c2r;             \
    static constexpr auto local_size_of_line = prefix##_mpi_local_size_1d; \
    static constexpr auto line = prefix##_mpi_plan_dft_1d;                 \
    static constexpr auto execute = prefix##_execute;                      \
    static constexpr auto destroy = prefix##_destroy_plan;                 \
  };
SKIPPER_TEST_FFTW(double, fftw)
SKIPPER_TEST_FFTW(float, fftwf)
#undef SKIPPER_TEST_FFTW
