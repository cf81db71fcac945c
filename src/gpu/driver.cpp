// See driver.h.
#include "gpu/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <skipper/error.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/lazy.h"

namespace skipper::gpu {
namespace {

/// The library that the variable names, else the first of these that opens; else a reason that says what it is, what
/// was tried and where to get it.
void* open_any(char const* variable, char const* what, std::vector<std::string> names, char const* way_out,
               std::string& reason) {
  if (std::string const chosen = environment(variable); !chosen.empty()) names = {chosen};
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

/// visit(name, function) for every entry of the table, until one says false.
template <class Visit>
bool each_function(Driver& d, Visit visit) {
  return visit("cuInit", d.init) && visit("cuDriverGetVersion", d.driver_version) &&
         visit("cuDeviceGetCount", d.device_count) && visit("cuDeviceGet", d.device) &&
         visit("cuDeviceGetName", d.device_name) && visit("cuDeviceTotalMem_v2", d.device_memory) &&
         visit("cuDeviceGetAttribute", d.device_fact) &&
         visit("cuDevicePrimaryCtxRetain", d.retain_context) && visit("cuCtxGetCurrent", d.current_context) &&
         visit("cuCtxGetDevice", d.current_device) && visit("cuCtxGetId", d.context_id) &&
         visit("cuCtxPushCurrent_v2", d.push_context) && visit("cuCtxPopCurrent_v2", d.pop_context) &&
         visit("cuLinkCreate_v2", d.create_link) && visit("cuLinkAddData_v2", d.add_to_link) &&
         visit("cuLinkComplete", d.complete_link) && visit("cuLinkDestroy", d.destroy_link) &&
         visit("cuModuleLoadData", d.load_module) && visit("cuModuleUnload", d.unload_module) &&
         visit("cuModuleGetFunction", d.find_function) && visit("cuFuncGetAttribute", d.function_fact) &&
         visit("cuFuncSetAttribute", d.set_function_fact) && visit("cuLaunchKernel", d.launch) &&
         visit("cuLaunchKernelEx", d.launch_as) && visit("cuOccupancyMaxActiveClusters", d.active_clusters) &&
         visit("cuPointerGetAttributes", d.pointer_facts) && visit("cuMemAlloc_v2", d.allocate) &&
         visit("cuMemFree_v2", d.release) && visit("cuMemGetInfo_v2", d.free_memory) &&
         visit("cuMemHostAlloc", d.allocate_host) && visit("cuMemFreeHost", d.release_host) &&
         visit("cuMemPoolCreate", d.create_pool) && visit("cuMemPoolDestroy", d.destroy_pool) &&
         visit("cuMemPoolSetAttribute", d.set_pool_fact) &&
         visit("cuMemAllocFromPoolAsync", d.allocate_async) && visit("cuMemFreeAsync", d.release_async) &&
         visit("cuMemcpyHtoDAsync_v2", d.to_device_async) && visit("cuMemcpyDtoDAsync_v2", d.copy_async) &&
         visit("cuMemsetD8Async", d.fill_async) && visit("cuMemcpyDtoHAsync_v2", d.to_host_async) &&
         visit("cuMemcpy2DAsync_v2", d.copy_rows_async) && visit("cuMemcpyAsync", d.copy_any_async) &&
         visit("cuDeviceCanAccessPeer", d.can_reach) && visit("cuCtxEnablePeerAccess", d.enable_reach) &&
         visit("cuIpcGetMemHandle", d.export_memory) && visit("cuIpcOpenMemHandle_v2", d.open_memory) &&
         visit("cuIpcCloseMemHandle", d.close_memory) && visit("cuStreamCreate", d.create_stream) &&
         visit("cuStreamDestroy_v2", d.destroy_stream) && visit("cuEventCreate", d.create_event) &&
         visit("cuEventDestroy_v2", d.destroy_event) && visit("cuEventRecord", d.record_event) &&
         visit("cuEventSynchronize", d.synchronise_event) && visit("cuEventElapsedTime", d.elapsed_time) &&
         visit("cuStreamWaitEvent", d.wait_for_event) &&
         visit("cuThreadExchangeStreamCaptureMode", d.exchange_capture_mode) &&
         visit("cuStreamIsCapturing", d.is_capturing) && visit("cuStreamGetCaptureInfo", d.capture_info) &&
         visit("cuStreamSynchronize", d.synchronise_stream) && visit("cuCtxSynchronize", d.synchronise) &&
         visit("cuGetErrorString", d.error_text);
}

/// What stands in the table of a child of fork().
template <class... Arguments>
bool lose(Status (*&function)(Arguments...)) {
  function = [](Arguments...) { return lost_by_fork; };
  return true;
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
  auto const found = [&](char const* name, auto& function) { return find(l, name, function, reason); };
  if (!l || !each_function(d, found)) return false;
  d.interpret = reinterpret_cast<decltype(d.interpret)>(dlsym(l, "skipper_interpret"));
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
    if (std::string const home = environment(variable); !home.empty())
      names.push_back(home + "/lib64/libnvrtc.so");
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

constinit std::atomic<bool> nvrtc_asked_for = false, driver_asked_for = false, driver_lost = false;
constinit std::atomic<Driver*> driver_table = nullptr;
constexpr char const* lost_reason =
    "CUDA was started by the process that this one was forked from, and works there only; start it after "
    "fork()";

/// Allocates nothing: it runs in a child of fork().
void lose_driver() {
  if (!driver_asked_for) return;
  driver_lost = true;
  if (Driver* const d = driver_table)
    each_function(*d, [](char const*, auto& function) { return lose(function); });
}

// When the library is loaded, so that no thread can be about to do it while another one forks.
[[maybe_unused]] int const registered = pthread_atfork(nullptr, nullptr, lose_driver);

template <class Table>
Table* opened(std::string* reason) {
  static constinit Lazy<std::unique_ptr<Opened<Table>>>
      library;  // never destroyed: plans may outlive static objects
  Opened<Table>& it = *library.get([] { return std::make_unique<Opened<Table>>(); });
  if (!it.ready && reason) *reason = it.reason;
  return it.ready ? &it.table : nullptr;
}

}  // namespace

Driver const* driver(std::string* reason) {
  if (driver_lost) {
    if (reason) *reason = lost_reason;
    return driver_table;
  }
  driver_asked_for = true;
  Driver* const table = opened<Driver>(reason);
  driver_table = table;
  return table;
}
bool driver_is_lost() noexcept { return driver_lost.load(std::memory_order_relaxed); }

Nvrtc const* nvrtc(std::string* reason) {
  Nvrtc const* const table = opened<Nvrtc>(reason);
  nvrtc_asked_for = true;
  return table;
}
bool nvrtc_is_open() { return nvrtc_asked_for; }

Driver const& demand_driver() {
  std::string reason;
  Driver const* const d = driver(&reason);
  if (d && !driver_lost) return *d;
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
  if (status == lost_by_fork) demand_driver();
  char const* words = nullptr;
  if (driver()) driver()->error_text(status, &words);
  throw Error("cuda", std::string(doing) + " failed: " + (words ? words : "unknown error") + " (" +
                          std::to_string(status) + ")");
}

}  // namespace skipper::gpu
