// Nanoseconds of a call through FFTW's interface and through Skipper's own, for transforms so short that the call counts. Links
// libskipper and libskipper_fftw3; bench/clients.sh builds and runs it.
#include <fftw3.h>
#include <skipper/plan.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <vector>

namespace {

template <class Call>
double nanoseconds(Call const& call) {
  constexpr int calls = 200, rounds = 300;
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    std::chrono::duration<double, std::nano> const took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

}  // namespace

int main() {
  for (int const n : {8, 16, 64}) {
    std::vector<std::complex<double>> in(static_cast<std::size_t>(n)), out(in.size());
    skipper::PlanSettings settings;
    settings.device = skipper::Device("cpu");
    settings.cpu.threads = 1;
    skipper::Plan const own(skipper::c2c({n}, 1, skipper::Precision::f64), settings);
    auto* const from = reinterpret_cast<fftw_complex*>(in.data());
    auto* const to = reinterpret_cast<fftw_complex*>(out.data());
    fftw_plan const plan = fftw_plan_dft_1d(n, from, to, FFTW_FORWARD, FFTW_ESTIMATE);
    double direct = 1e30, executed = 1e30, on_new = 1e30;
    for (int round = 0; round < 5; ++round) {
      direct = std::min(direct, nanoseconds([&] { own.execute(in.data(), out.data()); }));
      executed = std::min(executed, nanoseconds([&] { fftw_execute(plan); }));
      on_new = std::min(on_new, nanoseconds([&] { fftw_execute_dft(plan, from, to); }));
    }
    std::printf(
        "| call of %d points: own API, `fftw_execute`, `fftw_execute_dft` | %.0f ns | %.0f ns | %.0f ns |\n",
        n, direct, executed, on_new);
    fftw_destroy_plan(plan);
  }
}
