// What the measurements over MPI share: who a rank is, and how long a call takes the slowest of them.
#pragma once

#include <mpi.h>

inline int rank_of() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Seconds from a barrier until the slowest rank is done.
template <class Call>
double seconds_of(Call const& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const begin = MPI_Wtime();
  call();
  double const mine = MPI_Wtime() - begin;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

/// Whether to measure for the `i`-th time, after so many seconds of a budget.
inline bool goes_on(int i, double spent, double budget) { return i < 1000 && (i < 3 || spent < budget); }
