#include "gpu/driver.h"

#include <dlfcn.h>
#include <skipper/error.h>

#include <initializer_list>
#include <utility>

namespace skipper::gpu {
namespace {

/// The first library of these that opens; else a reason that says what it is, what was tried and where to get it.
void* open_any(char const* what, std::initializer_list<char const*> names, char const* way_out,
               std::string& reason) {
  std::string tried;
  for (char const* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    tried += (tried.empty() ? "" : ", ") + std::string(name);
  }
  reason = std::string(what) + " cannot be opened (tried " + tried + "); " + way_out;
  return nullptr;
}

template <class F>
bool find(void* library, char const* name, F& function, std::string& reason) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) reason = std::string("the library lacks ") + name;
  return function != nullptr;
}

bool fill(Driver& d, std::string& reason) {
  void* const l = open_any("the CUDA driver", {"libcuda.so.1", "libcuda.so"},
                           "install NVIDIA's driver for the GPU", reason);
  return l && find(l, "cuInit", d.init, reason) && find(l, "cuDriverGetVersion", d.driver_version, reason) &&
         find(l, "cuDeviceGetCount", d.device_count, reason) && find(l, "cuDeviceGet", d.device, reason) &&
         find(l, "cuDeviceGetName", d.device_name, reason) &&
         find(l, "cuDeviceTotalMem_v2", d.device_memory, reason) &&
         find(l, "cuDeviceGetAttribute", d.device_fact, reason) &&
         find(l, "cuDevicePrimaryCtxRetain", d.retain_context, reason) &&
         find(l, "cuCtxGetCurrent", d.current_context, reason) &&
         find(l, "cuCtxPushCurrent_v2", d.push_context, reason) &&
         find(l, "cuCtxPopCurrent_v2", d.pop_context, reason) &&
         find(l, "cuModuleLoadData", d.load_module, reason) &&
         find(l, "cuModuleUnload", d.unload_module, reason) &&
         find(l, "cuModuleGetFunction", d.find_function, reason) &&
         find(l, "cuFuncSetAttribute", d.set_function_fact, reason) &&
         find(l, "cuFuncGetAttribute", d.function_fact, reason) &&
         find(l, "cuLaunchKernel", d.launch, reason) && find(l, "cuMemAlloc_v2", d.allocate, reason) &&
         find(l, "cuMemFree_v2", d.release, reason) && find(l, "cuMemcpyHtoD_v2", d.to_device, reason) &&
         find(l, "cuMemcpyDtoH_v2", d.to_host, reason) &&
         find(l, "cuMemcpyDtoDAsync_v2", d.copy_async, reason) &&
         find(l, "cuCtxSynchronize", d.synchronise, reason) &&
         find(l, "cuEventCreate", d.create_event, reason) &&
         find(l, "cuEventDestroy_v2", d.destroy_event, reason) &&
         find(l, "cuEventRecord", d.record_event, reason) &&
         find(l, "cuEventSynchronize", d.await_event, reason) &&
         find(l, "cuEventElapsedTime", d.elapsed, reason) &&
         find(l, "cuGetErrorString", d.error_text, reason);
}

bool fill(Nvrtc& n, std::string& reason) {
  void* const l = open_any(
      "NVRTC, CUDA's compiler library,",
      {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"},
      "install it (package cuda-nvrtc of the CUDA toolkit) or add its folder to LD_LIBRARY_PATH", reason);
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

template <class Table>
Table const* opened(std::string* reason) {
  static Opened<Table> const library;
  if (!library.ready && reason) *reason = library.reason;
  return library.ready ? &library.table : nullptr;
}

}  // namespace

Driver const* driver(std::string* reason) {
  Driver const* const d = opened<Driver>(reason);
  static Status const started = d ? d->init(0) : -1;
  if (!d) return nullptr;
  if (started != 0 && reason)
    *reason = "the CUDA driver is installed but finds no usable GPU (cuInit answers " +
              std::to_string(started) + ")";
  return started == 0 ? d : nullptr;
}

Nvrtc const* nvrtc(std::string* reason) { return opened<Nvrtc>(reason); }

void demand(Status status, char const* doing) {
  if (status == 0) return;
  char const* words = nullptr;
  if (driver()) driver()->error_text(status, &words);
  throw Error("cuda", std::string(doing) + " failed: " + (words ? words : "unknown error") + " (" +
                          std::to_string(status) + ")");
}

Current::Current(int device) {
  Driver const& d = *driver();
  Context context = nullptr;
  demand(d.current_context(&context), "asking for the current context");
  if (context) return;
  DeviceHandle handle = 0;
  demand(d.device(&handle, device), "finding the device");
  demand(d.retain_context(&context, handle), "retaining the device's context");
  demand(d.push_context(context), "making the context current");
  pushed_ = true;
}

Current::~Current() {
  Context context = nullptr;
  if (pushed_) driver()->pop_context(&context);
}

}  // namespace skipper::gpu
