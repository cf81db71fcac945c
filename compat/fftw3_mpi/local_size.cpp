// FFTW's local_size calls: which block of the array a process has on either side, and the elements that its arrays need room for.
#include <algorithm>

#include "include/fftw3-mpi.h"
#include "job.h"
#include "names.h"

using namespace skipper::fftw3;

namespace {

struct Processes {
  explicit Processes(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }
  int rank = 0, size = 1;
};

void set(Share const& share, ptrdiff_t* size, ptrdiff_t* first) {
  if (size) *size = share.size;
  if (first) *first = share.first;
}

Share share_or_default(Index n, Index block, Processes const& all) {
  return share_of(n, block > 0 ? block : default_block(n, all.size), all.rank);
}

}  // namespace

extern "C" {

/// A second block as large as the dimension says that the output is not transposed.
ptrdiff_t MPI_NAME(local_size_many_transposed)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany,
                                               ptrdiff_t block0, ptrdiff_t block1, MPI_Comm comm,
                                               ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
                                               ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
  if (rnk <= 0 || !n || std::any_of(n, n + rnk, [](ptrdiff_t size) { return size < 1; })) {
    Share const all{0, rnk == 0 ? 1 : 0};
    set(all, local_n0, local_0_start);
    set(all, local_n1, local_1_start);
    return rnk == 0 ? howmany : 0;
  }
  Processes const all(comm);
  Share const first = share_or_default(n[0], block0, all);
  set(first, local_n0, local_0_start);
  if (rnk == 1) {
    set(first, local_n1, local_1_start);
    return std::max<Index>(first.size, 1) * howmany;
  }
  Share const second = block1 < n[1] ? share_or_default(n[1], block1, all) : Share{0, n[1]};
  set(second, local_n1, local_1_start);
  Index rest = howmany;
  for (int i = 2; i < rnk; ++i) rest *= n[i];
  Index const in = first.size * n[1], out = block1 < n[1] ? n[0] * second.size : in;
  return std::max<Index>({in * rest, out * rest, howmany});
}
ptrdiff_t MPI_NAME(local_size_many)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                                    MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start) {
  ptrdiff_t const block1 = rnk > 1 && n ? n[1] : FFTW_MPI_DEFAULT_BLOCK;
  return MPI_NAME(local_size_many_transposed)(rnk, n, howmany, block0, block1, comm, local_n0, local_0_start,
                                              nullptr, nullptr);
}
ptrdiff_t MPI_NAME(local_size_transposed)(int rnk, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,
                                          ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                          ptrdiff_t* local_1_start) {
  return MPI_NAME(local_size_many_transposed)(rnk, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, comm,
                                              local_n0, local_0_start, local_n1, local_1_start);
}
ptrdiff_t MPI_NAME(local_size)(int rnk, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,
                               ptrdiff_t* local_0_start) {
  return MPI_NAME(local_size_many)(rnk, n, 1, FFTW_MPI_DEFAULT_BLOCK, comm, local_n0, local_0_start);
}

/// Both sides are spread alike, whatever the direction and however scrambled.
ptrdiff_t MPI_NAME(local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int, unsigned,
                                       ptrdiff_t* local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no,
                                       ptrdiff_t* local_o_start) {
  return MPI_NAME(local_size_many_transposed)(1, &n0, howmany, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                              comm, local_ni, local_i_start, local_no, local_o_start);
}
ptrdiff_t MPI_NAME(local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t* local_ni,
                                  ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start) {
  return MPI_NAME(local_size_many_1d)(n0, 1, comm, sign, flags, local_ni, local_i_start, local_no,
                                      local_o_start);
}
ptrdiff_t MPI_NAME(local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,
                                  ptrdiff_t* local_0_start) {
  ptrdiff_t const n[] = {n0, n1};
  return MPI_NAME(local_size)(2, n, comm, local_n0, local_0_start);
}
ptrdiff_t MPI_NAME(local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,
                                  ptrdiff_t* local_n0, ptrdiff_t* local_0_start) {
  ptrdiff_t const n[] = {n0, n1, n2};
  return MPI_NAME(local_size)(3, n, comm, local_n0, local_0_start);
}
ptrdiff_t MPI_NAME(local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,
                                             ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                             ptrdiff_t* local_1_start) {
  ptrdiff_t const n[] = {n0, n1};
  return MPI_NAME(local_size_transposed)(2, n, comm, local_n0, local_0_start, local_n1, local_1_start);
}
ptrdiff_t MPI_NAME(local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,
                                             ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
                                             ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
  ptrdiff_t const n[] = {n0, n1, n2};
  return MPI_NAME(local_size_transposed)(3, n, comm, local_n0, local_0_start, local_n1, local_1_start);
}

}  // extern "C"
