/* Distributed plans over MPI in C and Fortran: communicators for the functions of skipper/skipper_c.h. Link libskipper_mpi before
 * Skipper: -lskipper_mpi -lskipper.
 *
 *   skipper_communicator* communicator;
 *   skipper_mpi_communicator(&communicator, MPI_COMM_WORLD, 0); */
#ifndef SKIPPER_MPI_C_H
#define SKIPPER_MPI_C_H

#include <mpi.h>
#include <skipper/skipper_c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective, as skipper::mpi_communicator() of skipper/mpi.h: MPI is initialised before, and finalised after this and the last
 * plan made with it are destroyed. A rank that waits for another longer than `milliseconds` fails; 0 is five minutes. */
int skipper_mpi_communicator(skipper_communicator** communicator, MPI_Comm comm, long long milliseconds);

/* The same for Fortran, whose communicators are integers. */
int skipper_mpi_communicator_fortran(skipper_communicator** communicator, MPI_Fint comm,
                                     long long milliseconds);

#ifdef __cplusplus
}
#endif

#endif
