// What the programs of tests/mpi share: a count of failed expectations, summed over the ranks, and the elements of boxes.
#pragma once

#include <mpi.h>
#include <skipper/distributed.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

inline int failed_expectations = 0;

inline void expect(bool good, std::string const& what) {
  if (good) return;
  ++failed_expectations;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "rank %d: %s\n", rank, what.c_str());
}

/// The end of main(): every rank's status is that of all.
inline int finish() {
  int all = 0;
  MPI_Allreduce(&failed_expectations, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}

/// use(place in the box, place in the dense global array) for every element of a box.
template <class Use>
void each_element(skipper::Box const& box, std::vector<std::int64_t> const& sizes, Use use) {
  std::int64_t all = 1;
  for (std::int64_t const n : box.size) all *= n;
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t rest = i, at = 0, stride = 1;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      at += (box.first[d] + rest % box.size[d]) * stride;
      stride *= sizes[d];
      rest /= box.size[d];
    }
    use(i, at);
  }
}
