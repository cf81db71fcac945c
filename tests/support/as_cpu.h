#pragma once
// A plan on a GPU, or on its fake driver, held to what the CPU makes of the same bytes. Arrays are the host's, and staged.
#include <gtest/gtest.h>
#include <skipper/skipper.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/scalars.h"
#include "support/uniform.h"

namespace skipper::testing {

/// Bytes of an array that holds numbers of a precision.
class Numbers {
 public:
  Numbers(Precision precision, std::int64_t bytes) : precision_(precision), bytes_(std::size_t(bytes)) {}

  static Numbers noise(Precision precision, std::int64_t bytes, unsigned seed) {
    Numbers result(precision, bytes);
    std::mt19937 random(seed);
    Uniform<double> uniform;
    result.each([&](auto& x) { x = std::remove_reference_t<decltype(x)>(float(uniform(random))); });
    return result;
  }

  void* data() { return bytes_.data(); }
  bool operator==(Numbers const& other) const { return bytes_ == other.bytes_; }

  std::vector<double> values() const {
    std::vector<double> all;
    Numbers copy = *this;
    copy.each([&](auto& x) { all.push_back(double(x)); });
    return all;
  }

 private:
  template <class F>
  void each(F f) {
    with_scalar(precision_, [&]<class T>(T) {
      auto* const first = reinterpret_cast<T*>(bytes_.data());
      for (std::size_t i = 0; i < bytes_.size() / sizeof(T); ++i) f(first[i]);
    });
  }

  Precision precision_;
  std::vector<std::byte> bytes_;
};

/// Beside the numbers, or beside `mean_square` a number where they happen to be smaller.
inline double relative_error(Numbers const& right, Numbers const& got, double mean_square = 0) {
  auto const a = right.values(), b = got.values();
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += (a[i] - b[i]) * (a[i] - b[i]), norm += a[i] * a[i];
  return std::sqrt(error / std::max(norm, mean_square * double(a.size())));
}

inline double allowed_beside_cpu(Precision precision) {
  if (is_16_bit(precision)) return allowed_once_rounded(precision);
  return precision == Precision::f32 ? 1e-6 : 2e-15;
}

/// `ends` of both: functions for the CPU, CUDA C++ for the GPU. `program`: what the GPU runs, else what the planner chooses.
inline void expect_as_cpu(Problem const& p, Callbacks const& ends = {}, std::string const& program = "") {
  SCOPED_TRACE(text(p));
  try {
    PlanSettings cpu, gpu;
    cpu.device = Device("cpu");
    cpu.callbacks.load = ends.load, cpu.callbacks.store = ends.store;
    gpu.device = Device("cuda:0");
    gpu.gpu.host_arrays = HostArrays::staged;
    gpu.gpu.program = program;
    gpu.callbacks = ends;
    gpu.callbacks.load = gpu.callbacks.store = nullptr;
    bool const in_place = p.placement == Placement::in_place;
    std::int64_t const room = in_place ? std::max(in_bytes(p), out_bytes(p)) : out_bytes(p);
    Numbers const input = Numbers::noise(p.precision, in_place ? room : in_bytes(p), 3);
    Numbers in = input, right = in_place ? input : Numbers::noise(p.precision, room, 4), got = right;
    Plan(p, cpu).execute(in_place ? right.data() : in.data(), right.data());
    Plan(p, gpu).execute(in_place ? got.data() : in.data(), got.data());
    EXPECT_TRUE(in == input) << "the input was not preserved";
    EXPECT_LE(relative_error(right, got), allowed_beside_cpu(p.precision));
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

inline std::string name_of(ConvolutionProblem const& p) {
  std::string all = std::string(p.complex ? "complex " : "real ") + std::string(name(p.precision)) + " shape";
  for (auto n : p.shape) all += " " + std::to_string(n);
  all += " kernel";
  for (auto n : p.kernel) all += " " + std::to_string(n);
  return all + " mode " + std::to_string(int(p.mode)) + (p.correlate ? " correlate" : "") + " batch " +
         std::to_string(p.batch) + " kernels " + std::to_string(p.kernels);
}

inline void expect_as_cpu(ConvolutionProblem const& p) {
  SCOPED_TRACE(name_of(p));
  try {
    PlanSettings cpu, gpu;
    cpu.device = Device("cpu");
    gpu.device = Device("cuda:0");
    gpu.gpu.host_arrays = HostArrays::staged;
    std::int64_t const number =
        with_scalar(p.precision, [](auto x) { return std::int64_t(sizeof x); }) * (p.complex ? 2 : 1);
    auto const bytes = [&](std::vector<std::int64_t> const& shape, std::int64_t count) {
      for (std::int64_t n : shape) count *= n;
      return count * number;
    };
    Numbers kernel = Numbers::noise(p.precision, bytes(p.kernel, p.kernels), 5);
    Numbers const input = Numbers::noise(p.precision, bytes(p.shape, p.batch), 6);
    Numbers in = input, right = Numbers::noise(p.precision, bytes(out_shape(p), p.batch), 7), got = right;
    Convolution(p, kernel.data(), cpu).execute(in.data(), right.data());
    Convolution const convolution(p, kernel.data(), gpu);
    SCOPED_TRACE(convolution.describe());
    convolution.execute(in.data(), got.data());
    EXPECT_TRUE(in == input) << "the input was not preserved";
    double mean_square = p.complex ? 2. / 9 : 1. / 9;  // of a sum of so many products of noise
    for (std::size_t d = 0; d < p.shape.size(); ++d) mean_square *= double(std::min(p.shape[d], p.kernel[d]));
    EXPECT_LE(relative_error(right, got, mean_square), allowed_beside_cpu(p.precision));
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

}  // namespace skipper::testing
