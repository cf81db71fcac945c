// mpirun -n N bench_distributed [SECONDS [CASE]]: distributed transforms on CPUs beside FFTW-MPI (FFTW_MEASURE), one thread a
// rank. Both take slabs, leave the output transposed, work out of place, and are called by turns. Ours is verified by its inverse.
// One line of JSON a case and library on rank 0; table.py makes a table of such lines. CASE: only those whose name contains it.
// FFTW measures for minutes; what it finds is kept in the folder that the variable WISDOM names.
//
// 512x512 batch 64: FFTW-MPI cannot cut a batch, so both cut each of the 64 transforms. FFTW-MPI does them in one plan whose
// batch index is the fastest (its only layout of several), and one by one; the faster of the two counts.
#include <skipper/distributed.h>
#include <skipper/mpi.h>
#include <skipper/plan.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#ifdef SKIPPER_FFTW_MPI
#include <fftw3-mpi.h>
#endif

#include "ranks.h"

namespace {

double summed(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

struct Case {
  std::string name;
  skipper::Problem problem;
  std::vector<std::ptrdiff_t> shape;  // of one transform
  std::ptrdiff_t batch = 1;
};

struct Contender {
  std::string library;
  std::function<void()> call;
  double error = 0;
  double seconds = 1e30;  // the fastest call, each as long as its slowest rank
};

void time_by_turns(std::vector<Contender>& contenders, double budget) {
  for (Contender& c : contenders) c.call();
  double spent = 0;
  for (int i = 0; goes_on(i, spent, budget * double(contenders.size())); ++i)
    for (Contender& c : contenders) {
      double const seconds = seconds_of(c.call);
      c.seconds = std::min(c.seconds, seconds);
      spent += seconds;
    }
}

double value_at(std::size_t i) { return std::sin(0.37 * double(i) + double(rank_of())) + 0.25; }

/// Arrays and plans of a library, which its calls keep.
template <class T>
struct Ours {
  skipper::DistributedPlan plan;
  std::vector<T> in, out;
};

template <class T>
Contender ours(Case const& c) {
  using namespace skipper;
  auto const communicator = mpi_communicator(MPI_COMM_WORLD);
  std::size_t const slowest_axis = c.problem.batch.size();
  DistributedSettings settings, back;
  settings.in = slabs(in_sizes(c.problem), ranks(), slowest_axis);
  settings.out = slabs(out_sizes(c.problem), ranks(), slowest_axis + 1);
  settings.cpu.threads = back.cpu.threads = 1;
  back.in = settings.out;
  back.out = settings.in;
  DistributedPlan const plan(c.problem, communicator, settings);
  auto const held = std::make_shared<Ours<T>>(Ours<T>{plan, {}, {}});
  held->in.resize(std::size_t(plan.in_elements()) * (c.problem.kind == Kind::r2c ? 1 : 2));
  held->out.resize(std::size_t(plan.out_elements()) * 2);
  for (std::size_t i = 0; i < held->in.size(); ++i) held->in[i] = T(value_at(i));

  plan.execute(static_cast<void*>(held->in.data()), static_cast<void*>(held->out.data()));
  std::vector<T> again(held->in.size());
  DistributedPlan(inverse_problem(dense_layout(c.problem)), communicator, back)
      .execute(static_cast<void*>(held->out.data()), static_cast<void*>(again.data()));
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < again.size(); ++i) {
    difference += double(again[i] - held->in[i]) * double(again[i] - held->in[i]);
    size += double(held->in[i]) * double(held->in[i]);
  }
  if (rank_of() == 0) std::fprintf(stderr, "%s\n", plan.describe().c_str());
  return {"skipper",
          [held] {
            held->plan.execute(static_cast<void*>(held->in.data()), static_cast<void*>(held->out.data()));
          },
          std::sqrt(summed(difference) / summed(size))};
}

#ifdef SKIPPER_FFTW_MPI
template <class T>
struct Fftw;
#define SKIPPER_BENCH_FFTW(real_type, prefix)                                   \
  template <>                                                                   \
  struct Fftw<real_type> {                                                      \
    using Complex = prefix##_complex;                                           \
    using Plan = prefix##_plan;                                                 \
    static constexpr auto init = prefix##_mpi_init;                             \
    static constexpr auto local = prefix##_mpi_local_size_many_transposed;      \
    static constexpr auto complex = prefix##_mpi_plan_many_dft;                 \
    static constexpr auto real = prefix##_mpi_plan_many_dft_r2c;                \
    static constexpr auto execute = prefix##_mpi_execute_dft;                   \
    static constexpr auto execute_real = prefix##_mpi_execute_dft_r2c;          \
    static constexpr auto import_wisdom = prefix##_import_wisdom_from_filename; \
    static constexpr auto export_wisdom = prefix##_export_wisdom_to_filename;   \
    static constexpr auto broadcast_wisdom = prefix##_mpi_broadcast_wisdom;     \
    static constexpr auto gather_wisdom = prefix##_mpi_gather_wisdom;           \
    static constexpr auto destroy = prefix##_destroy_plan;                      \
    static real_type* alloc(std::size_t n) { return prefix##_alloc_real(n); }   \
    static constexpr auto free = prefix##_free;                                 \
  };
SKIPPER_BENCH_FFTW(double, fftw)
SKIPPER_BENCH_FFTW(float, fftwf)
#undef SKIPPER_BENCH_FFTW

/// `together` transforms by one plan, as often as the batch needs.
template <class T>
struct FftwRun {
  using F = Fftw<T>;
  bool real = false;
  std::ptrdiff_t times = 1, size = 0;
  T *in = nullptr, *out = nullptr;
  typename F::Plan plan = nullptr;

  FftwRun(Case const& c, std::ptrdiff_t together)
      : real(c.problem.kind == skipper::Kind::r2c), times(c.batch / together) {
    std::vector<std::ptrdiff_t> const& n = c.shape;
    std::vector<std::ptrdiff_t> complex_n = n;
    if (real) complex_n.back() = n.back() / 2 + 1;
    std::ptrdiff_t n0 = 0, s0 = 0, n1 = 0, s1 = 0;
    size = F::local(int(n.size()), complex_n.data(), together, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                    MPI_COMM_WORLD, &n0, &s0, &n1, &s1);
    in = F::alloc(std::size_t(2 * size * times));
    out = F::alloc(std::size_t(2 * size * times));
    unsigned const flags = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT;
    plan = real
               ? F::real(int(n.size()), n.data(), together, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                         in, complex(out), MPI_COMM_WORLD, flags)
               : F::complex(int(n.size()), n.data(), together, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                            complex(in), complex(out), MPI_COMM_WORLD, FFTW_FORWARD, flags);
    for (std::ptrdiff_t i = 0; i < 2 * size * times; ++i) in[i] = T(value_at(std::size_t(i)));
  }
  ~FftwRun() {
    F::destroy(plan);
    F::free(in);
    F::free(out);
  }
  FftwRun(FftwRun const&) = delete;
  static typename F::Complex* complex(T* data) { return reinterpret_cast<typename F::Complex*>(data); }
  void run() const {
    for (std::ptrdiff_t i = 0; i < times; ++i) {
      T *const from = in + 2 * size * i, *const to = out + 2 * size * i;
      real ? F::execute_real(plan, from, complex(to)) : F::execute(plan, complex(from), complex(to));
    }
  }
};

template <class T>
void add_peers(Case const& c, std::vector<Contender>& contenders) {
  using F = Fftw<T>;
  char const* const folder = std::getenv("WISDOM");
  std::string const file =
      std::string(folder ? folder : "") + "/fftw" + std::to_string(sizeof(T)) + "-" + std::to_string(ranks());
  F::init();
  if (folder && rank_of() == 0) F::import_wisdom(file.c_str());
  if (folder) F::broadcast_wisdom(MPI_COMM_WORLD);
  auto const add = [&](std::ptrdiff_t together) {
    auto const held = std::make_shared<FftwRun<T>>(c, together);
    contenders.push_back({"fftw-mpi", [held] { held->run(); }});
  };
  add(c.batch);
  if (c.batch > 1) add(1);
  if (folder) F::gather_wisdom(MPI_COMM_WORLD);
  if (folder && rank_of() == 0) F::export_wisdom(file.c_str());
}
#else
template <class T>
void add_peers(Case const&, std::vector<Contender>&) {}
#endif

template <class T>
bool run(Case const& c, double budget) {
  std::vector<Contender> contenders{ours<T>(c)};
  add_peers<T>(c, contenders);
  time_by_turns(contenders, budget);
  if (contenders.size() > 2) {  // two ways of one peer
    contenders[1].seconds = std::min(contenders[1].seconds, contenders[2].seconds);
    contenders.pop_back();
  }
  for (Contender const& e : contenders)
    if (rank_of() == 0) {
      std::printf(
          "{\"library\": \"%s\", \"case\": \"%s\", \"ranks\": %d, \"seconds\": %.6g, \"error\": %.2g}\n",
          e.library.c_str(), c.name.c_str(), ranks(), e.seconds, e.error);
      std::fflush(stdout);
    }
  return contenders[0].error < (sizeof(T) == 8 ? 1e-13 : 1e-5);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double const budget = argc > 1 ? std::atof(argv[1]) : 1;
  std::string const only = argc > 2 ? argv[2] : "";
  using namespace skipper;
  std::vector<Case> const cases = {
      {"c2c f32 256x256x256", c2c({256, 256, 256}), {256, 256, 256}},
      {"c2c f64 256x256x256", c2c({256, 256, 256}, 1, Precision::f64), {256, 256, 256}},
      {"c2c f32 512x512 batch 64", c2c({512, 512}, 64), {512, 512}, 64},
      {"r2c f32 256x256x256", r2c({256, 256, 256}), {256, 256, 256}},
  };
  bool good = true;
  for (Case const& c : cases) {
    if (c.name.find(only) == std::string::npos) continue;
    good = (c.problem.precision == Precision::f64 ? run<double>(c, budget) : run<float>(c, budget)) && good;
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
