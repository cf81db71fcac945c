// The names of FFTW's legacy Fortran interface, with one underscore and with two. All arguments are pointers, a plan is an
// integer of 8 bytes, results come first, and dimensions of the basic and advanced interfaces are in Fortran's order,
// fastest first. Those of the guru interface are three arrays, in the order of C.
#include <algorithm>
#include <vector>

#include "planner.h"

using namespace skipper::fftw3;

namespace {

/// Nothing where the rank makes no sense: planning then refuses it.
template <class T>
std::vector<T> reversed(int rank, T const* values) {
  if (rank <= 0 || rank > static_cast<int>(skipper::max_rank) || !values) return {};
  std::vector<T> result(values, values + rank);
  std::reverse(result.begin(), result.end());
  return result;
}

template <class T>
T const* data(std::vector<T> const& values) {
  return values.empty() ? nullptr : values.data();
}

std::vector<FFTW_NAME(iodim)> iodims(int rank, int const* n, int const* is, int const* os) {
  std::vector<FFTW_NAME(iodim)> dims;
  if (rank > static_cast<int>(skipper::max_rank) || !n || !is || !os) return dims;
  for (int i = 0; i < rank; ++i) dims.push_back({n[i], is[i], os[i]});
  return dims;
}

std::vector<FftwKind> kinds_of(int rank, int const* kinds) {
  std::vector<FftwKind> result;
  if (rank > static_cast<int>(skipper::max_rank) || !kinds) return result;
  for (int i = 0; i < rank; ++i) result.push_back(static_cast<FftwKind>(kinds[i]));
  return result;
}

/// Fortran's procedures that take a character, or give one, as an argument.
struct Writer {
  void (*write)(char*, void*);
  void* data;
};
struct Reader {
  void (*read)(int*, void*);
  void* data;
};
void write_char(char c, void* writer) {
  auto const& w = *static_cast<Writer*>(writer);
  w.write(&c, w.data);
}
int read_char(void* reader) {
  auto const& r = *static_cast<Reader*>(reader);
  int c = EOF;
  r.read(&c, r.data);
  return c < 0 ? EOF : c;
}

}  // namespace

#define TEXT_OF_NAME(name) #name
#define TEXT_OF(name) TEXT_OF_NAME(name)
/// The same function under the name with two underscores.
#define ALSO_WITH_TWO(name)                                  \
  extern decltype(FORTRAN_NAME(name)) FORTRAN_NAME_TWO(name) \
      __attribute__((alias(TEXT_OF(FORTRAN_NAME(name)))))

extern "C" {

void FORTRAN_NAME(plan_dft_1d)(FftwPlan* p, int* nx, FftwComplex* in, FftwComplex* out, int* sign,
                               int* flags) {
  *p = FFTW_NAME(plan_dft_1d)(*nx, in, out, *sign, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_1d);

void FORTRAN_NAME(plan_dft_r2c_1d)(FftwPlan* p, int* nx, Real* in, FftwComplex* out, int* flags) {
  *p = FFTW_NAME(plan_dft_r2c_1d)(*nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_r2c_1d);

void FORTRAN_NAME(plan_dft_c2r_1d)(FftwPlan* p, int* nx, FftwComplex* in, Real* out, int* flags) {
  *p = FFTW_NAME(plan_dft_c2r_1d)(*nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_c2r_1d);

void FORTRAN_NAME(plan_r2r_1d)(FftwPlan* p, int* nx, Real* in, Real* out, int* kindx, int* flags) {
  *p = FFTW_NAME(plan_r2r_1d)(*nx, in, out, static_cast<FftwKind>(*kindx), static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_r2r_1d);

void FORTRAN_NAME(plan_dft_2d)(FftwPlan* p, int* nx, int* ny, FftwComplex* in, FftwComplex* out, int* sign,
                               int* flags) {
  *p = FFTW_NAME(plan_dft_2d)(*ny, *nx, in, out, *sign, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_2d);

void FORTRAN_NAME(plan_dft_r2c_2d)(FftwPlan* p, int* nx, int* ny, Real* in, FftwComplex* out, int* flags) {
  *p = FFTW_NAME(plan_dft_r2c_2d)(*ny, *nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_r2c_2d);

void FORTRAN_NAME(plan_dft_c2r_2d)(FftwPlan* p, int* nx, int* ny, FftwComplex* in, Real* out, int* flags) {
  *p = FFTW_NAME(plan_dft_c2r_2d)(*ny, *nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_c2r_2d);

void FORTRAN_NAME(plan_r2r_2d)(FftwPlan* p, int* nx, int* ny, Real* in, Real* out, int* kindx, int* kindy,
                               int* flags) {
  *p = FFTW_NAME(plan_r2r_2d)(*ny, *nx, in, out, static_cast<FftwKind>(*kindy), static_cast<FftwKind>(*kindx),
                              static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_r2r_2d);

void FORTRAN_NAME(plan_dft_3d)(FftwPlan* p, int* nx, int* ny, int* nz, FftwComplex* in, FftwComplex* out,
                               int* sign, int* flags) {
  *p = FFTW_NAME(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_3d);

void FORTRAN_NAME(plan_dft_r2c_3d)(FftwPlan* p, int* nx, int* ny, int* nz, Real* in, FftwComplex* out,
                                   int* flags) {
  *p = FFTW_NAME(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_r2c_3d);

void FORTRAN_NAME(plan_dft_c2r_3d)(FftwPlan* p, int* nx, int* ny, int* nz, FftwComplex* in, Real* out,
                                   int* flags) {
  *p = FFTW_NAME(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_c2r_3d);

void FORTRAN_NAME(plan_r2r_3d)(FftwPlan* p, int* nx, int* ny, int* nz, Real* in, Real* out, int* kindx,
                               int* kindy, int* kindz, int* flags) {
  *p = FFTW_NAME(plan_r2r_3d)(*nz, *ny, *nx, in, out, static_cast<FftwKind>(*kindz),
                              static_cast<FftwKind>(*kindy), static_cast<FftwKind>(*kindx),
                              static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_r2r_3d);

void FORTRAN_NAME(plan_dft)(FftwPlan* p, int* rank, int const* n, FftwComplex* in, FftwComplex* out,
                            int* sign, int* flags) {
  *p = FFTW_NAME(plan_dft)(*rank, data(reversed(*rank, n)), in, out, *sign, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft);

void FORTRAN_NAME(plan_many_dft)(FftwPlan* p, int* rank, int const* n, int* howmany, FftwComplex* in,
                                 int const* inembed, int* istride, int* idist, FftwComplex* out,
                                 int const* onembed, int* ostride, int* odist, int* sign, int* flags) {
  *p = FFTW_NAME(plan_many_dft)(*rank, data(reversed(*rank, n)), *howmany, in, data(reversed(*rank, inembed)),
                                *istride, *idist, out, data(reversed(*rank, onembed)), *ostride, *odist,
                                *sign, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_many_dft);

void FORTRAN_NAME(plan_guru_dft)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                 int* howmany_rank, int const* h_n, int const* h_is, int const* h_os,
                                 FftwComplex* in, FftwComplex* out, int* sign, int* flags) {
  *p = FFTW_NAME(plan_guru_dft)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                data(iodims(*howmany_rank, h_n, h_is, h_os)), in, out, *sign,
                                static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_dft);

void FORTRAN_NAME(execute_dft)(FftwPlan* p, FftwComplex* in, FftwComplex* out) {
  FFTW_NAME(execute_dft)(*p, in, out);
}
ALSO_WITH_TWO(execute_dft);

void FORTRAN_NAME(plan_dft_r2c)(FftwPlan* p, int* rank, int const* n, Real* in, FftwComplex* out,
                                int* flags) {
  *p = FFTW_NAME(plan_dft_r2c)(*rank, data(reversed(*rank, n)), in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_r2c);

void FORTRAN_NAME(plan_many_dft_r2c)(FftwPlan* p, int* rank, int const* n, int* howmany, Real* in,
                                     int const* inembed, int* istride, int* idist, FftwComplex* out,
                                     int const* onembed, int* ostride, int* odist, int* flags) {
  *p = FFTW_NAME(plan_many_dft_r2c)(
      *rank, data(reversed(*rank, n)), *howmany, in, data(reversed(*rank, inembed)), *istride, *idist, out,
      data(reversed(*rank, onembed)), *ostride, *odist, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_many_dft_r2c);

void FORTRAN_NAME(plan_guru_dft_r2c)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                     int* howmany_rank, int const* h_n, int const* h_is, int const* h_os,
                                     Real* in, FftwComplex* out, int* flags) {
  *p = FFTW_NAME(plan_guru_dft_r2c)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                    data(iodims(*howmany_rank, h_n, h_is, h_os)), in, out,
                                    static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_dft_r2c);

void FORTRAN_NAME(execute_dft_r2c)(FftwPlan* p, Real* in, FftwComplex* out) {
  FFTW_NAME(execute_dft_r2c)(*p, in, out);
}
ALSO_WITH_TWO(execute_dft_r2c);

void FORTRAN_NAME(plan_dft_c2r)(FftwPlan* p, int* rank, int const* n, FftwComplex* in, Real* out,
                                int* flags) {
  *p = FFTW_NAME(plan_dft_c2r)(*rank, data(reversed(*rank, n)), in, out, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_dft_c2r);

void FORTRAN_NAME(plan_many_dft_c2r)(FftwPlan* p, int* rank, int const* n, int* howmany, FftwComplex* in,
                                     int const* inembed, int* istride, int* idist, Real* out,
                                     int const* onembed, int* ostride, int* odist, int* flags) {
  *p = FFTW_NAME(plan_many_dft_c2r)(
      *rank, data(reversed(*rank, n)), *howmany, in, data(reversed(*rank, inembed)), *istride, *idist, out,
      data(reversed(*rank, onembed)), *ostride, *odist, static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_many_dft_c2r);

void FORTRAN_NAME(plan_guru_dft_c2r)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                     int* howmany_rank, int const* h_n, int const* h_is, int const* h_os,
                                     FftwComplex* in, Real* out, int* flags) {
  *p = FFTW_NAME(plan_guru_dft_c2r)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                    data(iodims(*howmany_rank, h_n, h_is, h_os)), in, out,
                                    static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_dft_c2r);

void FORTRAN_NAME(execute_dft_c2r)(FftwPlan* p, FftwComplex* in, Real* out) {
  FFTW_NAME(execute_dft_c2r)(*p, in, out);
}
ALSO_WITH_TWO(execute_dft_c2r);

void FORTRAN_NAME(plan_r2r)(FftwPlan* p, int* rank, int const* n, Real* in, Real* out, int* kind,
                            int* flags) {
  std::vector<FftwKind> const kinds = reversed(*rank, data(kinds_of(*rank, kind)));
  *p = FFTW_NAME(plan_r2r)(*rank, data(reversed(*rank, n)), in, out, data(kinds),
                           static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_r2r);

void FORTRAN_NAME(plan_many_r2r)(FftwPlan* p, int* rank, int const* n, int* howmany, Real* in,
                                 int const* inembed, int* istride, int* idist, Real* out, int const* onembed,
                                 int* ostride, int* odist, int* kind, int* flags) {
  std::vector<FftwKind> const kinds = reversed(*rank, data(kinds_of(*rank, kind)));
  *p = FFTW_NAME(plan_many_r2r)(*rank, data(reversed(*rank, n)), *howmany, in, data(reversed(*rank, inembed)),
                                *istride, *idist, out, data(reversed(*rank, onembed)), *ostride, *odist,
                                data(kinds), static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_many_r2r);

void FORTRAN_NAME(plan_guru_r2r)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                 int* howmany_rank, int const* h_n, int const* h_is, int const* h_os,
                                 Real* in, Real* out, int* kind, int* flags) {
  std::vector<FftwKind> const kinds = kinds_of(*rank, kind);
  *p = FFTW_NAME(plan_guru_r2r)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                data(iodims(*howmany_rank, h_n, h_is, h_os)), in, out, data(kinds),
                                static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_r2r);

void FORTRAN_NAME(execute_r2r)(FftwPlan* p, Real* in, Real* out) { FFTW_NAME(execute_r2r)(*p, in, out); }
ALSO_WITH_TWO(execute_r2r);

void FORTRAN_NAME(plan_guru_split_dft)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                       int* howmany_rank, int const* h_n, int const* h_is, int const* h_os,
                                       Real* ri, Real* ii, Real* ro, Real* io, int* flags) {
  *p = FFTW_NAME(plan_guru_split_dft)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                      data(iodims(*howmany_rank, h_n, h_is, h_os)), ri, ii, ro, io,
                                      static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_split_dft);

void FORTRAN_NAME(execute_split_dft)(FftwPlan* p, Real* ri, Real* ii, Real* ro, Real* io) {
  FFTW_NAME(execute_split_dft)(*p, ri, ii, ro, io);
}
ALSO_WITH_TWO(execute_split_dft);

void FORTRAN_NAME(plan_guru_split_dft_r2c)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                           int* howmany_rank, int const* h_n, int const* h_is,
                                           int const* h_os, Real* in, Real* ro, Real* io, int* flags) {
  *p = FFTW_NAME(plan_guru_split_dft_r2c)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                          data(iodims(*howmany_rank, h_n, h_is, h_os)), in, ro, io,
                                          static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_split_dft_r2c);

void FORTRAN_NAME(execute_split_dft_r2c)(FftwPlan* p, Real* in, Real* ro, Real* io) {
  FFTW_NAME(execute_split_dft_r2c)(*p, in, ro, io);
}
ALSO_WITH_TWO(execute_split_dft_r2c);

void FORTRAN_NAME(plan_guru_split_dft_c2r)(FftwPlan* p, int* rank, int const* n, int const* is, int const* os,
                                           int* howmany_rank, int const* h_n, int const* h_is,
                                           int const* h_os, Real* ri, Real* ii, Real* out, int* flags) {
  *p = FFTW_NAME(plan_guru_split_dft_c2r)(*rank, data(iodims(*rank, n, is, os)), *howmany_rank,
                                          data(iodims(*howmany_rank, h_n, h_is, h_os)), ri, ii, out,
                                          static_cast<unsigned>(*flags));
}
ALSO_WITH_TWO(plan_guru_split_dft_c2r);

void FORTRAN_NAME(execute_split_dft_c2r)(FftwPlan* p, Real* ri, Real* ii, Real* out) {
  FFTW_NAME(execute_split_dft_c2r)(*p, ri, ii, out);
}
ALSO_WITH_TWO(execute_split_dft_c2r);

void FORTRAN_NAME(execute)(FftwPlan* p) { FFTW_NAME(execute)(*p); }
ALSO_WITH_TWO(execute);

void FORTRAN_NAME(destroy_plan)(FftwPlan* p) { FFTW_NAME(destroy_plan)(*p); }
ALSO_WITH_TWO(destroy_plan);

void FORTRAN_NAME(cleanup)() { FFTW_NAME(cleanup)(); }
ALSO_WITH_TWO(cleanup);

void FORTRAN_NAME(forget_wisdom)() { FFTW_NAME(forget_wisdom)(); }
ALSO_WITH_TWO(forget_wisdom);

void FORTRAN_NAME(export_wisdom)(void (*write)(char*, void*), void* data) {
  Writer writer{write, data};
  FFTW_NAME(export_wisdom)(write_char, &writer);
}
ALSO_WITH_TWO(export_wisdom);

void FORTRAN_NAME(import_wisdom)(int* isuccess, void (*read)(int*, void*), void* data) {
  Reader reader{read, data};
  *isuccess = FFTW_NAME(import_wisdom)(read_char, &reader);
}
ALSO_WITH_TWO(import_wisdom);

void FORTRAN_NAME(import_system_wisdom)(int* isuccess) { *isuccess = FFTW_NAME(import_system_wisdom)(); }
ALSO_WITH_TWO(import_system_wisdom);

void FORTRAN_NAME(print_plan)(FftwPlan* p) { FFTW_NAME(print_plan)(*p); }
ALSO_WITH_TWO(print_plan);

void FORTRAN_NAME(flops)(FftwPlan* p, double* add, double* mul, double* fma) {
  FFTW_NAME(flops)(*p, add, mul, fma);
}
ALSO_WITH_TWO(flops);

void FORTRAN_NAME(estimate_cost)(double* cost, FftwPlan* p) { *cost = FFTW_NAME(estimate_cost)(*p); }
ALSO_WITH_TWO(estimate_cost);

void FORTRAN_NAME(cost)(double* cost, FftwPlan* p) { *cost = FFTW_NAME(cost)(*p); }
ALSO_WITH_TWO(cost);

void FORTRAN_NAME(set_timelimit)(double* seconds) { FFTW_NAME(set_timelimit)(*seconds); }
ALSO_WITH_TWO(set_timelimit);

void FORTRAN_NAME(init_threads)(int* okay) { *okay = FFTW_NAME(init_threads)(); }
ALSO_WITH_TWO(init_threads);

void FORTRAN_NAME(cleanup_threads)() { FFTW_NAME(cleanup_threads)(); }
ALSO_WITH_TWO(cleanup_threads);

void FORTRAN_NAME(plan_with_nthreads)(int* nthreads) { FFTW_NAME(plan_with_nthreads)(*nthreads); }
ALSO_WITH_TWO(plan_with_nthreads);

void FORTRAN_NAME(planner_nthreads)(int* nthreads) { *nthreads = FFTW_NAME(planner_nthreads)(); }
ALSO_WITH_TWO(planner_nthreads);

}  // extern "C"
