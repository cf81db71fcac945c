#pragma once
// Device memory by CUDA's driver, which is opened at run time, so that these programs also run on the fake driver of the tests
// (SKIPPER_CUDA_DRIVER names it).
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

struct Device {
  int (*init)(unsigned) = nullptr;
  int (*retain)(void**, int) = nullptr;
  int (*push)(void*) = nullptr;
  int (*allocate)(unsigned long long*, std::size_t) = nullptr;
  int (*release)(unsigned long long) = nullptr;
  int (*to_device)(unsigned long long, void const*, std::size_t) = nullptr;
  int (*to_host)(void*, unsigned long long, std::size_t) = nullptr;
  int (*synchronise)() = nullptr;

  /// With the primary context of device 0 current, as CUDA's runtime has it.
  static Device const& get() {
    static Device const device;
    return device;
  }

 private:
  Device() {
    char const* const named = std::getenv("SKIPPER_CUDA_DRIVER");
    void* const library = dlopen(named ? named : "libcuda.so.1", RTLD_NOW);
    find(library, "cuInit", init);
    find(library, "cuDevicePrimaryCtxRetain", retain);
    find(library, "cuCtxPushCurrent_v2", push);
    find(library, "cuMemAlloc_v2", allocate);
    find(library, "cuMemFree_v2", release);
    find(library, "cuMemcpyHtoD_v2", to_device);
    find(library, "cuMemcpyDtoH_v2", to_host);
    find(library, "cuCtxSynchronize", synchronise);
    void* context = nullptr;
    if (init(0) || retain(&context, 0) || push(context)) give_up("no GPU");
  }
  static void give_up(char const* why) {
    std::fprintf(stderr, "CUDA: %s\n", why);
    std::exit(2);
  }
  template <class F>
  static void find(void* library, char const* name, F& function) {
    function = library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
    if (!function) give_up(name);
  }
};

/// Zeros on the device.
struct DeviceArray {
  void* at = nullptr;
  explicit DeviceArray(std::size_t bytes = 1 << 16) {
    unsigned long long address = 0;
    if (Device::get().allocate(&address, bytes)) return;
    at = reinterpret_cast<void*>(address);
    void* const zeros = std::calloc(bytes, 1);
    Device::get().to_device(address, zeros, bytes);
    std::free(zeros);
  }
  ~DeviceArray() {
    Device::get().synchronise();
    Device::get().release(reinterpret_cast<unsigned long long>(at));
  }
  DeviceArray(DeviceArray const&) = delete;
  DeviceArray& operator=(DeviceArray const&) = delete;
};
