#pragma once
// Tests on a real GPU. Where there is none a program says so and exits with 77, which counts as skipped. (It will also
// run on the fake driver, by SKIPPER_CUDA_DRIVER and SKIPPER_NVRTC, with SKIPPER_QUICK=1.)
//
// Most of the time is NVRTC's, which parses one text at a time within a process. So tests of many cases are cut in shares, and
// GoogleTest assigns these to processes (GTEST_TOTAL_SHARDS): ctest runs so many of each file (SKIPPER_DEVICE_SHARDS), as many at a
// time as there are cores. Kernels that several need are in the cache that they share (SKIPPER_CACHE).
#include <gtest/gtest.h>
#include <skipper/skipper.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "all_cores.h"
#include "gpu.h"
#include "support/quick.h"

namespace skipper::testing {

inline bool const there_is_a_gpu = [] {
  if (missing_for_gpu().empty()) return true;
  std::printf("skipped: no GPU: %s\n", missing_for_gpu()[0].c_str());
  std::fflush(stdout);
  std::_Exit(77);
}();

inline PlanSettings on(char const* device) {
  PlanSettings settings;
  settings.device = Device(device);
  return settings;
}

template <class T>
std::vector<std::complex<T>> noise(std::size_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<std::complex<T>> x(count);
  for (auto& v : x) {
    std::uint64_t const bits = random();
    v = {T(double(bits & 0xffffff) / 0x800000 - 1), T(double(bits >> 40) / 0x800000 - 1)};
  }
  return x;
}

template <class T>
double distance(std::vector<std::complex<T>> const& right, std::vector<std::complex<T>> const& x) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    error += std::norm(std::complex<double>(right[i]) - std::complex<double>(x[i]));
    whole += std::norm(std::complex<double>(right[i]));
  }
  return std::sqrt(error / whole);
}

/// What the CPU makes of it, in double.
template <class T>
std::vector<std::complex<T>> expected(Problem problem, std::vector<std::complex<T>> const& in) {
  problem.precision = Precision::f64;
  problem.placement = Placement::out_of_place;
  std::vector<std::complex<double>> const wide(in.begin(), in.end());
  std::vector<std::complex<double>> out(std::size_t(out_bytes(problem)) / 16);
  Plan(problem, on("cpu")).execute(wide.data(), out.data());
  std::vector<std::complex<T>> result;
  for (auto const& x : out) result.emplace_back(x);
  return result;
}

/// On all cores, or on two where the others belong to other shares: one plan is compiled while another is checked.
template <class Work>
void on_all_cores(std::size_t count, Work const& work) {
  cli::on_all_cores(count, is_asked("GTEST_TOTAL_SHARDS") ? 2 : 0, work);
}

/// A test that is one of many shares of its cases.
class Share : public ::testing::TestWithParam<std::size_t> {
 public:
  static std::size_t count() { return thorough() ? 128 : quick() ? 2 : 16; }
  static auto all() { return ::testing::Range(std::size_t(0), count()); }

 protected:
  template <class T>
  std::vector<T> of(std::vector<T> const& cases) const {
    std::vector<T> own;
    for (std::size_t i = GetParam(); i < cases.size(); i += count()) own.push_back(cases[i]);
    return own;
  }
  template <class T, class Work>
  void each(std::vector<T> const& cases, Work const& work) const {
    std::vector<T> const own = of(cases);
    on_all_cores(own.size(), [&](std::size_t i) { work(own[i]); });
  }
};

}  // namespace skipper::testing
