// Poisson problems over ranks on a real device: 2, 4 and 8 of them that share it, each with buffers and a stream of
// its own, by every exchange, held to the CPU's solutions on one rank.
#include <skipper/distributed_poisson.h>

#include "device/device.h"
#include "support/poisson_problems.h"

namespace skipper::testing {
namespace {

template <class T>
double distance_of(std::vector<T> const& right, std::vector<T> const& x) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    error += std::pow(double(right[i]) - double(x[i]), 2);
    whole += std::pow(double(right[i]), 2);
  }
  return std::sqrt(error / std::max(whole, 1e-300));
}

template <class T>
void expect_right(PoissonProblem p, int ranks, DistributedSettings const& settings, std::mt19937& random) {
  p.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
  SCOPED_TRACE(text_of(p) + " over " + std::to_string(ranks) + " by " + name(settings.exchange));
  Input<T> const input = random_input<T>(p, random, p.symbols == Symbols::second_order);
  std::vector<T> right(input.f.size()), result(input.f.size());
  double const defect = Poisson(p).solve(input.f.data(), right.data(), {.faces = input.faces}).defect;
  DistributedPoisson const poisson(p, std::vector<Device>(std::size_t(ranks), Device("cuda:0")), settings);
  SCOPED_TRACE(poisson.describe());
  std::vector<Index> const sizes = sizes_of(p);
  std::vector<std::unique_ptr<cli::Cuda>> devices;
  std::vector<PoissonArrays<T>> arrays;
  for (int r = 0; r < ranks; ++r) {
    std::vector<T> part(std::size_t(poisson.in_elements(r)) + 1);
    each_element(poisson.in_box(r), sizes,
                 [&](std::size_t here, std::size_t there) { part[here] = input.f[there]; });
    cli::Cuda& cuda = *devices.emplace_back(std::make_unique<cli::Cuda>(0));
    auto const array = [&](char const* what, Index elements) {
      return static_cast<T*>(cuda.device_memory(what, std::size_t(elements + 1) * sizeof(T)).data);
    };
    PoissonArrays<T> mine{array("f", poisson.in_elements(r)),
                          array("phi", poisson.out_elements(r)),
                          input.faces,
                          {.stream = cuda.stream()}};
    for (std::size_t a = 0; a < mine.faces.size(); ++a)
      for (auto* side : {&mine.faces[a].low, &mine.faces[a].high})
        *side = beside(*side, sizes, poisson.in_box(r), a);
    cuda.upload(const_cast<T*>(mine.f), part.data(), part.size() * sizeof(T));
    cuda.poison(mine.phi, std::size_t(poisson.out_elements(r) + 1) * sizeof(T));
    cuda.wait();
    arrays.push_back(mine);
  }
  double found = 0;
  for (int repeat = 0; repeat < 3; ++repeat) found = poisson.solve(arrays).defect;
  for (int r = 0; r < ranks; ++r) {
    std::vector<T> part(std::size_t(poisson.out_elements(r)));
    devices[std::size_t(r)]->wait();
    if (!part.empty())
      devices[std::size_t(r)]->download(part.data(), arrays[std::size_t(r)].phi, part.size() * sizeof(T));
    each_element(poisson.out_box(r), sizes,
                 [&](std::size_t here, std::size_t there) { result[there] = part[here]; });
  }
  EXPECT_LT(distance_of(right, result), sizeof(T) == 8 ? 1e-12 : 2e-5);
  EXPECT_NEAR(found, defect, (sizeof(T) == 8 ? 1e-13 : 1e-5) * (1 + std::fabs(defect)));
}

std::vector<ExchangeMethod> const methods = {ExchangeMethod::automatic, ExchangeMethod::direct,
                                             ExchangeMethod::staged, ExchangeMethod::host,
                                             ExchangeMethod::swap};

class DevicePoissonExchanges : public Share {};
INSTANTIATE_TEST_SUITE_P(Share, DevicePoissonExchanges, Share::all());

// Kernels are compiled for each problem, part and sort of store, so problems are few.
TEST_P(DevicePoissonExchanges, AreRight) {
  Boundary const n = Boundary::neumann, d = Boundary::dirichlet;
  Index const size = quick() ? 16 : 64;
  std::vector<std::pair<int, ExchangeMethod>> cases;
  for (int const ranks : {2, 4, 8})
    for (ExchangeMethod const method : methods) cases.emplace_back(ranks, method);
  for (auto const& [ranks, method] : of(cases)) {
    std::mt19937 random(1);
    DistributedSettings settings;
    settings.exchange = method;
    PoissonProblem p;
    p.axes = {axis(size, n, d), axis(size, d, d), axis(size, n, n)};
    expect_right<float>(p, ranks, settings, random);
    if (method == ExchangeMethod::swap) continue;  // half a spectrum does not divide into equal parts
    p.axes = {{size}, {size}, {size}};
    p.zero_mode = ranks == 4 ? ZeroMode::pin : ZeroMode::zero_mean;
    expect_right<float>(p, ranks, settings, random);
    p.axes[0] = axis(size, n, n, Centring::cell, true);
    expect_right<double>(p, ranks, settings, random);
  }
}

TEST(DeviceDistributedPoisson, UnevenPartsInPieces) {
  std::mt19937 random(2);
  DistributedSettings settings;
  settings.pieces = 3;
  for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::direct}) {
    settings.exchange = method;
    PoissonProblem p;
    p.axes = {{61}, axis(quick() ? 20 : 100, Boundary::neumann, Boundary::neumann), {quick() ? 17 : 83}};
    expect_right<float>(p, 5, settings, random);
  }
}

/// One in nine of all mixes and swept axes; the fake driver has them all (tests/gpu/distributed_poisson_test.cpp).
TEST_P(DevicePoissonExchanges, MixBoundaries) {
  std::vector<int> numbers;
  for (int number = 0; number < 27 * 4; number += quick() ? 31 : 9) numbers.push_back(number);
  for (int const number : of(numbers)) {
    std::mt19937 random(unsigned(number + 3));
    PoissonProblem const p = mixed({20, 32, 24}, number / 4, number % 4 - 1);
    DistributedSettings settings;
    settings.in = slabs(sizes_of(p), 2, random() % 3);
    expect_right<float>(p, 2, settings, random);
    expect_right<double>(p, 2, settings, random);
  }
}

}  // namespace
}  // namespace skipper::testing
