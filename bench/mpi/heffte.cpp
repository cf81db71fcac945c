// mpirun -n N heffte SECONDS: the cases of distributed.cpp by heFFTe with FFTW (whose plans heFFTe estimates), one thread a rank: slabs
// in, slabs of another dimension out, the fastest of its options. Prints the same lines. peers.sh builds it; no target does.
#include <heffte.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ranks.h"

namespace {

/// This rank's slab along dimension d; dimension 0 is the fastest.
heffte::box3d<> slab(std::array<int, 3> const& sizes, int d) {
  std::array<int, 3> low{0, 0, 0}, high{sizes[0] - 1, sizes[1] - 1, sizes[2] - 1};
  std::size_t const at = std::size_t(d);
  low[at] = int(long(sizes[at]) * rank_of() / ranks());
  high[at] = int(long(sizes[at]) * (rank_of() + 1) / ranks()) - 1;
  return {low, high};
}

template <class Call>
double fastest(double budget, Call call) {
  call();
  double best = 1e30, spent = 0;
  for (int i = 0; goes_on(i, spent, budget); ++i) {
    double const seconds = seconds_of(call);
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

struct Measured {
  double seconds = 1e30, error = 0;
};

template <class Fft, class In, class Out>
Measured measured(Fft const& fft, int batch, double budget) {
  std::vector<In> in(std::size_t(batch) * std::size_t(fft.size_inbox())), again(in.size());
  std::vector<Out> out(std::size_t(batch) * std::size_t(fft.size_outbox()));
  std::vector<Out> work(std::size_t(batch) * std::size_t(fft.size_workspace()));
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = In(float(std::sin(0.37 * double(i) + rank_of()) + 0.25));
  Measured m;
  m.seconds = fastest(budget, [&] { fft.forward(batch, in.data(), out.data(), work.data()); });
  fft.backward(batch, out.data(), again.data(), work.data(), heffte::scale::full);
  double sums[2] = {0, 0}, all[2] = {0, 0};
  for (std::size_t i = 0; i < in.size(); ++i) {
    sums[0] += double(std::norm(again[i] - in[i]));
    sums[1] += double(std::norm(in[i]));
  }
  MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  m.error = std::sqrt(all[0] / all[1]);
  return m;
}

template <class T>
void run(std::string const& name, std::array<int, 3> const& sizes, bool real, int batch, double budget) {
  Measured best;
  std::array<int, 3> complex_sizes = sizes;
  if (real) complex_sizes[0] = sizes[0] / 2 + 1;
  int const slowest = sizes[2] > 1 ? 2 : 1;
  for (bool const reorder : {false, true})
    for (auto const algorithm :
         {heffte::reshape_algorithm::alltoallv, heffte::reshape_algorithm::p2p_plined}) {
      heffte::plan_options options = heffte::default_options<heffte::backend::fftw>();
      options.use_reorder = reorder;
      options.use_pencils = false;
      options.algorithm = algorithm;
      using Complex = std::complex<T>;
      auto const in = slab(sizes, slowest), out = slab(complex_sizes, slowest - 1);
      Measured const m =
          real ? measured<heffte::fft3d_r2c<heffte::backend::fftw>, T, Complex>(
                     heffte::fft3d_r2c<heffte::backend::fftw>(in, out, 0, MPI_COMM_WORLD, options), batch,
                     budget)
               : measured<heffte::fft3d<heffte::backend::fftw>, Complex, Complex>(
                     heffte::fft3d<heffte::backend::fftw>(in, out, MPI_COMM_WORLD, options), batch, budget);
      if (m.seconds < best.seconds) best = m;
    }
  if (rank_of() == 0) {
    std::printf(
        "{\"library\": \"heffte\", \"case\": \"%s\", \"ranks\": %d, \"seconds\": %.6g, \"error\": %.2g}\n",
        name.c_str(), ranks(), best.seconds, best.error);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double const budget = argc > 1 ? std::atof(argv[1]) / 4 : 0.25;  // of each choice of options
  run<float>("c2c f32 256x256x256", {256, 256, 256}, false, 1, budget);
  run<double>("c2c f64 256x256x256", {256, 256, 256}, false, 1, budget);
  run<float>("c2c f32 512x512 batch 64", {512, 512, 1}, false, 64, budget);
  run<float>("r2c f32 256x256x256", {256, 256, 256}, true, 1, budget);
  MPI_Finalize();
  return 0;
}
