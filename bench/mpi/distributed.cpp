// mpirun -n N bench_distributed [SECONDS]: distributed transforms on CPUs against FFTW-MPI (FFTW_MEASURE, transposed
// output on both sides) in the same run, each verified by its inverse. One JSON object a case on rank 0.
#include <skipper/distributed.h>
#include <skipper/mpi.h>
#include <skipper/plan.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#ifdef SKIPPER_FFTW_MPI
#include <fftw3-mpi.h>
#endif

namespace {

int rank_of() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// The fastest of repeated calls by all ranks, each as long as its slowest rank.
double seconds_of(double budget, std::function<void()> const& call) {
  call();
  double best = 1e30, all = 0;
  for (int i = 0; i < 1000 && (i < 3 || all < budget); ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    call();
    double mine = MPI_Wtime() - begin, slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = std::min(best, slowest);
    all += slowest;
  }
  return best;
}

double summed(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

struct Case {
  skipper::Problem problem;
  std::vector<long> shape;  // of one transform
  long batch = 1;
};

template <class T>
double value_at(std::size_t i) {
  return std::sin(0.37 * double(i) + double(rank_of())) + 0.25;
}

/// Time of the transform, and the error of the way there and back.
template <class T>
std::pair<double, double> ours(Case const& c, double budget) {
  using namespace skipper;
  auto const communicator = mpi_communicator(MPI_COMM_WORLD);
  DistributedSettings settings;
  settings.any_output = true;
  settings.threads = 1;
  DistributedPlan const plan(c.problem, communicator, settings);
  DistributedSettings back;
  back.threads = 1;
  for (int r = 0; r < ranks(); ++r) {
    back.in.push_back(plan.out_box(r));
    back.out.push_back(plan.in_box(r));
  }
  DistributedPlan const inverse(inverse_problem(dense_layout(c.problem)), communicator, back);
  bool const real = c.problem.kind == Kind::r2c;
  std::vector<T> in(std::size_t(plan.in_elements()) * (real ? 1 : 2)),
      out(std::size_t(plan.out_elements()) * 2), again(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = T(value_at<T>(i));
  double const seconds = seconds_of(budget, [&] { plan.execute(in.data(), out.data()); });
  inverse.execute(out.data(), again.data());
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    difference += double(again[i] - in[i]) * double(again[i] - in[i]);
    size += double(in[i]) * double(in[i]);
  }
  if (rank_of() == 0) std::fprintf(stderr, "%s\n", plan.describe().c_str());
  return {seconds, std::sqrt(summed(difference) / summed(size))};
}

#ifdef SKIPPER_FFTW_MPI
template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  static constexpr auto init = fftw_mpi_init;
  static constexpr auto local = fftw_mpi_local_size_many_transposed;
  static constexpr auto complex = fftw_mpi_plan_many_dft;
  static constexpr auto real = fftw_mpi_plan_many_dft_r2c;
  static constexpr auto execute = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
  static double* alloc(std::size_t n) { return fftw_alloc_real(n); }
  static constexpr auto free = fftw_free;
};
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  static constexpr auto init = fftwf_mpi_init;
  static constexpr auto local = fftwf_mpi_local_size_many_transposed;
  static constexpr auto complex = fftwf_mpi_plan_many_dft;
  static constexpr auto real = fftwf_mpi_plan_many_dft_r2c;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
  static float* alloc(std::size_t n) { return fftwf_alloc_real(n); }
  static constexpr auto free = fftwf_free;
};

/// A batch is done as howmany, whose index is the fastest in FFTW-MPI.
template <class T>
double fftws(Case const& c, double budget) {
  using F = Fftw<T>;
  F::init();
  bool const real = c.problem.kind == skipper::Kind::r2c;
  std::vector<std::ptrdiff_t> n(c.shape.begin(), c.shape.end()), complex_n = n;
  if (real) complex_n.back() = n.back() / 2 + 1;
  std::ptrdiff_t n0 = 0, s0 = 0, n1 = 0, s1 = 0;
  std::ptrdiff_t const size = F::local(int(n.size()), complex_n.data(), c.batch, FFTW_MPI_DEFAULT_BLOCK,
                                       FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD, &n0, &s0, &n1, &s1);
  T* const in = F::alloc(std::size_t(2 * size));
  T* const out = F::alloc(std::size_t(2 * size));
  auto const c_in = reinterpret_cast<typename F::Complex*>(in),
             c_out = reinterpret_cast<typename F::Complex*>(out);
  unsigned const flags = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT;
  auto const plan =
      real ? F::real(int(n.size()), n.data(), c.batch, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, in,
                     c_out, MPI_COMM_WORLD, flags)
           : F::complex(int(n.size()), n.data(), c.batch, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                        c_in, c_out, MPI_COMM_WORLD, FFTW_FORWARD, flags);
  for (std::ptrdiff_t i = 0; i < 2 * size; ++i) in[i] = T(value_at<T>(std::size_t(i)));
  double const seconds = seconds_of(budget, [&] { F::execute(plan); });
  F::destroy(plan);
  F::free(in);
  F::free(out);
  return seconds;
}
#else
template <class T>
double fftws(Case const&, double) {
  return 0;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double const budget = argc > 1 ? std::atof(argv[1]) : 1;
  using namespace skipper;
  std::vector<Case> const cases = {
      {c2c({256, 256, 256}), {256, 256, 256}, 1},
      {c2c({256, 256, 256}, 1, Precision::f64), {256, 256, 256}, 1},
      {c2c({512, 512}, 64), {512, 512}, 64},
      {r2c({256, 256, 256}), {256, 256, 256}, 1},
  };
  int status = 0;
  for (Case const& c : cases) {
    bool const f64 = c.problem.precision == Precision::f64;
    auto const [seconds, error] = f64 ? ours<double>(c, budget) : ours<float>(c, budget);
    double const peer = f64 ? fftws<double>(c, budget) : fftws<float>(c, budget);
    if (!(error < (f64 ? 1e-13 : 1e-5))) status = 1;
    if (rank_of() == 0) {
      std::printf(
          "{\"problem\": \"%s\", \"ranks\": %d, \"seconds\": %.6g, \"fftw_mpi_seconds\": %.6g, \"ratio\": "
          "%.3f, \"error\": %.2g}\n",
          text(c.problem).c_str(), ranks(), seconds, peer, peer > 0 ? seconds / peer : 0, error);
      std::fflush(stdout);
    }
  }
  MPI_Finalize();
  return status;
}
