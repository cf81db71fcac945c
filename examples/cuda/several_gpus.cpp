// A cube over all GPUs of this machine, or twice over the only one: forward, backward, and the difference to what it was.
//
//   several_gpus [SIZE]
#include <cuda_runtime.h>
#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Complex = std::complex<float>;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// An array on the device of a rank.
Complex* allocate(int device, std::int64_t elements) {
  void* memory = nullptr;
  check(cudaSetDevice(device));
  check(cudaMalloc(&memory, static_cast<std::size_t>(elements) * sizeof(Complex) + 1));
  return static_cast<Complex*>(memory);
}

}  // namespace

int main(int argc, char** argv) try {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  std::int64_t const n = argc > 1 ? std::atoll(argv[1]) : 256;
  int const ranks = gpus > 1 ? gpus : 2;
  std::vector<skipper::Device> devices;
  for (int r = 0; r < ranks; ++r) devices.emplace_back("cuda:" + std::to_string(r % gpus));

  // The spectrum stays where it is cheapest, and the way back starts from there: one exchange each way.
  skipper::Problem const forward = skipper::c2c({n, n, n});
  skipper::Problem const backward = skipper::inverse_problem(forward);
  skipper::DistributedSettings there, back;
  there.any_output = true;
  skipper::DistributedPlan const to_spectrum(forward, devices, there);
  for (int r = 0; r < ranks; ++r) {
    back.in.push_back(to_spectrum.out_box(r));
    back.out.push_back(to_spectrum.in_box(r));
  }
  skipper::DistributedPlan const from_spectrum(backward, devices, back);

  std::vector<skipper::RankArrays> forth, home;
  std::vector<std::vector<Complex>> given;
  for (int r = 0; r < ranks; ++r) {
    int const device = r % gpus;
    std::int64_t const elements = to_spectrum.in_elements(r);
    std::vector<Complex> wave(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = {std::sin(0.001f * float(i)), float(r)};
    Complex* const space = allocate(device, elements);
    Complex* const spectrum = allocate(device, to_spectrum.out_elements(r));
    check(cudaMemcpy(space, wave.data(), wave.size() * sizeof(Complex), cudaMemcpyHostToDevice));
    forth.push_back({space, spectrum});
    home.push_back({spectrum, space});
    given.push_back(std::move(wave));
  }
  to_spectrum.execute(forth);
  from_spectrum.execute(home);

  double worst = 0;
  for (int r = 0; r < ranks; ++r) {
    std::vector<Complex> result(given[std::size_t(r)].size());
    check(cudaSetDevice(r % gpus));
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(result.data(), home[std::size_t(r)].out, result.size() * sizeof(Complex),
                     cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < result.size(); ++i)
      worst = std::max(worst, double(std::abs(result[i] - given[std::size_t(r)][i])));
  }
  std::printf("%s\n%d exchange each way, by %s; largest difference after both: %.2g\n",
              to_spectrum.describe().c_str(), to_spectrum.exchanges(), skipper::name(to_spectrum.exchange()),
              worst);
  return worst < 1e-4 ? 0 : 1;
} catch (skipper::Error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
