#pragma once
// A test on the fake driver, with a cache folder of its own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/environment.h"
#include "gpu/fake_driver/fake_driver.h"
#include "support/uniform.h"

namespace skipper::testing {

/// Has CUDA opened here from the fake driver. Must come before anything uses a device.
inline void use_fake_driver() {
  ::setenv("SKIPPER_CUDA_DRIVER", SKIPPER_FAKE_DRIVER, 1);
  ::setenv("SKIPPER_NVRTC", SKIPPER_FAKE_DRIVER, 1);
  ::setenv("SKIPPER_NCCL", SKIPPER_FAKE_DRIVER, 1);
}

/// Whether kernels are traced here (SKIPPER_TRACED), and what compiles one.
inline bool is_traced() { return switched_on("SKIPPER_TRACED"); }
inline char const* compile_call() { return is_traced() ? "cuLinkComplete" : "nvrtcCompileProgram"; }

class FakeDriver : public ::testing::Test {
 protected:
  FakeDriver()
      : folder_(std::filesystem::temp_directory_path() / ("skipper-gpu-" + std::to_string(::getpid()))) {
    use_fake_driver();
    std::filesystem::remove_all(folder_);
    ::setenv("SKIPPER_CACHE", folder_.c_str(), 1);
    ::unsetenv("SKIPPER_CACHE_BYTES");
    fake_driver::reset();
    cuDevicePrimaryCtxRetain(&context_, 0);
    cuCtxPushCurrent_v2(context_);  // as CUDA's runtime leaves it
  }
  ~FakeDriver() override {
    cuCtxPopCurrent_v2(&context_);
    fake_driver::reset();
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_;
  void* context_ = nullptr;
};

/// An array in the fake driver's device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    EXPECT_EQ(cuMemAlloc_v2(&address_, count * sizeof(T)), 0);
  }
  explicit DeviceArray(std::vector<T> const& values) : DeviceArray(values.size()) {
    EXPECT_EQ(cuMemcpyHtoD_v2(address_, values.data(), count_ * sizeof(T)), 0);
  }
  ~DeviceArray() { cuMemFree_v2(address_); }
  DeviceArray(DeviceArray const&) = delete;
  DeviceArray& operator=(DeviceArray const&) = delete;

  T* data() const { return reinterpret_cast<T*>(address_); }
  /// After all that was enqueued.
  std::vector<T> values() const {
    std::vector<T> result(count_);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    EXPECT_EQ(cuMemcpyDtoH_v2(result.data(), address_, count_ * sizeof(T)), 0);
    return result;
  }

 private:
  std::size_t count_;
  unsigned long long address_ = 0;
};

template <class T>
std::vector<std::complex<T>> noise(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  Uniform<T> uniform;
  std::vector<std::complex<T>> x(count);
  for (auto& v : x) v = {uniform(random), uniform(random)};
  return x;
}

template <class T>
double distance(std::vector<std::complex<T>> const& a, std::vector<std::complex<T>> const& b) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::norm(std::complex<double>(a[i]) - std::complex<double>(b[i]));
    whole += std::norm(std::complex<double>(a[i]));
  }
  return std::sqrt(error / whole);
}

}  // namespace skipper::testing
