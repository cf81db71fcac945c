#include "gpu/driver.h"

#include <dlfcn.h>
#include <skipper/error.h>

#include <atomic>
#include <cstdlib>
#include <utility>
#include <vector>

namespace skipper::gpu {
namespace {

/// The library that the variable names, else the first of these that opens; else a reason that says what it is, what
/// was tried and where to get it.
void* open_any(char const* variable, char const* what, std::vector<std::string> names, char const* way_out,
               std::string& reason) {
  if (char const* const chosen = std::getenv(variable); chosen && *chosen) names = {chosen};
  std::string tried;
  for (std::string const& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  reason = std::string(what) + " cannot be opened (tried " + tried + "); " + way_out + ", or name it in " +
           variable;
  return nullptr;
}

template <class F>
bool find(void* library, char const* name, F& function, std::string& reason) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) reason = std::string("the library lacks ") + name;
  return function != nullptr;
}

bool find_all(void* l, Driver& d, std::string& reason) {
  return find(l, "cuInit", d.init, reason) && find(l, "cuDriverGetVersion", d.driver_version, reason) &&
         find(l, "cuDeviceGetCount", d.device_count, reason) && find(l, "cuDeviceGet", d.device, reason) &&
         find(l, "cuDeviceGetName", d.device_name, reason) &&
         find(l, "cuDeviceTotalMem_v2", d.device_memory, reason) &&
         find(l, "cuDeviceGetAttribute", d.device_fact, reason) &&
         find(l, "cuDevicePrimaryCtxRetain", d.retain_context, reason) &&
         find(l, "cuCtxGetCurrent", d.current_context, reason) &&
         find(l, "cuCtxGetDevice", d.current_device, reason) && find(l, "cuCtxGetId", d.context_id, reason) &&
         find(l, "cuCtxPushCurrent_v2", d.push_context, reason) &&
         find(l, "cuCtxPopCurrent_v2", d.pop_context, reason) &&
         find(l, "cuModuleLoadData", d.load_module, reason) &&
         find(l, "cuModuleUnload", d.unload_module, reason) &&
         find(l, "cuModuleGetFunction", d.find_function, reason) &&
         find(l, "cuFuncSetAttribute", d.set_function_fact, reason) &&
         find(l, "cuLaunchKernel", d.launch, reason) && find(l, "cuLaunchKernelEx", d.launch_as, reason) &&
         find(l, "cuOccupancyMaxActiveClusters", d.active_clusters, reason) &&
         find(l, "cuPointerGetAttributes", d.pointer_facts, reason) &&
         find(l, "cuMemAlloc_v2", d.allocate, reason) && find(l, "cuMemFree_v2", d.release, reason) &&
         find(l, "cuMemGetInfo_v2", d.free_memory, reason) &&
         find(l, "cuMemHostAlloc", d.allocate_host, reason) &&
         find(l, "cuMemFreeHost", d.release_host, reason) &&
         find(l, "cuMemPoolCreate", d.create_pool, reason) &&
         find(l, "cuMemPoolDestroy", d.destroy_pool, reason) &&
         find(l, "cuMemPoolSetAttribute", d.set_pool_fact, reason) &&
         find(l, "cuMemAllocFromPoolAsync", d.allocate_async, reason) &&
         find(l, "cuMemFreeAsync", d.release_async, reason) &&
         find(l, "cuMemcpyHtoDAsync_v2", d.to_device_async, reason) &&
         find(l, "cuMemsetD8Async", d.fill_async, reason) &&
         find(l, "cuMemcpyDtoHAsync_v2", d.to_host_async, reason) &&
         find(l, "cuMemcpy2DAsync_v2", d.copy_rows_async, reason) &&
         find(l, "cuStreamCreate", d.create_stream, reason) &&
         find(l, "cuStreamDestroy_v2", d.destroy_stream, reason) &&
         find(l, "cuEventCreate", d.create_event, reason) &&
         find(l, "cuEventDestroy_v2", d.destroy_event, reason) &&
         find(l, "cuEventRecord", d.record_event, reason) &&
         find(l, "cuEventSynchronize", d.synchronise_event, reason) &&
         find(l, "cuStreamWaitEvent", d.wait_for_event, reason) &&
         find(l, "cuThreadExchangeStreamCaptureMode", d.exchange_capture_mode, reason) &&
         find(l, "cuStreamIsCapturing", d.is_capturing, reason) &&
         find(l, "cuStreamGetCaptureInfo", d.capture_info, reason) &&
         find(l, "cuStreamSynchronize", d.synchronise_stream, reason) &&
         find(l, "cuCtxSynchronize", d.synchronise, reason) &&
         find(l, "cuGetErrorString", d.error_text, reason);
}

std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

bool fill(Driver& d, std::string& reason) {
  void* const l = open_any("SKIPPER_CUDA_DRIVER", "the CUDA driver", {"libcuda.so.1", "libcuda.so"},
                           "install NVIDIA's driver for the GPU", reason);
  int version = 0;
  // An old driver is told by its version, not by the first function that it lacks.
  if (l && find(l, "cuDriverGetVersion", d.driver_version, reason) && d.driver_version(&version) == 0 &&
      version < oldest_driver) {
    reason = "the CUDA driver is of CUDA " + dotted(version) + "; " + dotted(oldest_driver) +
             " or newer is needed, update it";
    return false;
  }
  if (!l || !find_all(l, d, reason)) return false;
  Status const started = d.init(0);
  if (started == 0) return true;
  char const* words = nullptr;
  d.error_text(started, &words);
  reason = std::string("the CUDA driver is installed but finds no usable GPU: ") +
           (words ? words : "cuInit") + " (" + std::to_string(started) + ")";
  return false;
}

bool fill(Nvrtc& n, std::string& reason) {
  std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  for (char const* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (char const* const home = std::getenv(variable); home && *home)
      names.push_back(std::string(home) + "/lib64/libnvrtc.so");
  names.push_back("/usr/local/cuda/lib64/libnvrtc.so");
  void* const l = open_any(
      "SKIPPER_NVRTC", "NVRTC, CUDA's compiler library,", std::move(names),
      "install it (package cuda-nvrtc of the CUDA toolkit), add its folder to LD_LIBRARY_PATH", reason);
  return l && find(l, "nvrtcVersion", n.version, reason) && find(l, "nvrtcCreateProgram", n.create, reason) &&
         find(l, "nvrtcDestroyProgram", n.destroy, reason) &&
         find(l, "nvrtcAddNameExpression", n.add_name, reason) &&
         find(l, "nvrtcCompileProgram", n.compile, reason) &&
         find(l, "nvrtcGetLoweredName", n.lowered_name, reason) &&
         find(l, "nvrtcGetCUBINSize", n.cubin_size, reason) && find(l, "nvrtcGetCUBIN", n.cubin, reason) &&
         find(l, "nvrtcGetProgramLogSize", n.log_size, reason) &&
         find(l, "nvrtcGetProgramLog", n.log, reason);
}

/// A table filled once; what was missing is remembered.
template <class Table>
struct Opened {
  Table table{};
  std::string reason;
  bool ready = fill(table, reason);
};

std::atomic<bool> nvrtc_asked_for = false;

template <class Table>
Table const* opened(std::string* reason) {
  static auto const* const library = new Opened<Table>;  // never destroyed: plans may outlive static objects
  if (!library->ready && reason) *reason = library->reason;
  return library->ready ? &library->table : nullptr;
}

}  // namespace

Driver const* driver(std::string* reason) { return opened<Driver>(reason); }
Nvrtc const* nvrtc(std::string* reason) {
  Nvrtc const* const table = opened<Nvrtc>(reason);
  nvrtc_asked_for = true;
  return table;
}
bool nvrtc_is_open() { return nvrtc_asked_for; }

Driver const& demand_driver() {
  std::string reason;
  if (Driver const* const d = driver(&reason)) return *d;
  throw Error("device", "CUDA is not usable here: " + reason + "; use the cpu");
}

Nvrtc const& demand_nvrtc() {
  std::string reason;
  if (Nvrtc const* const n = nvrtc(&reason)) return *n;
  throw Error("device", "kernels cannot be compiled: " + reason + "; or use the cpu");
}

std::string driver_version() {
  int version = 0;
  return driver() && driver()->driver_version(&version) == 0 ? dotted(version) : "";
}

std::string nvrtc_version() {
  int major = 0, minor = 0;
  return nvrtc() && nvrtc()->version(&major, &minor) == 0
             ? std::to_string(major) + "." + std::to_string(minor)
             : "";
}

void demand(Status status, char const* doing) {
  if (status == 0) return;
  char const* words = nullptr;
  if (driver()) driver()->error_text(status, &words);
  throw Error("cuda", std::string(doing) + " failed: " + (words ? words : "unknown error") + " (" +
                          std::to_string(status) + ")");
}

}  // namespace skipper::gpu
