// See driver.h.
#include "driver.h"

#include <dlfcn.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "base/environment.h"

namespace skipper::cufft {
namespace {

constexpr int relaxed = 2;  // of CUstreamCaptureMode

/// Allows calls that the capture of a stream elsewhere in the process forbids.
class Unwatched {
 public:
  Unwatched() { driver()->exchange_capture_mode(&mode_); }
  ~Unwatched() { driver()->exchange_capture_mode(&mode_); }
  Unwatched(Unwatched const&) = delete;
  Unwatched& operator=(Unwatched const&) = delete;

 private:
  int mode_ = relaxed;
};

template <class F>
bool find(void* library, char const* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

bool fill(Driver& d) {
  std::string const chosen = environment("SKIPPER_CUDA_DRIVER");
  void* library = nullptr;
  for (char const* const name : {"libcuda.so.1", "libcuda.so"})
    if (!library) library = dlopen(chosen.empty() ? name : chosen.c_str(), RTLD_NOW | RTLD_LOCAL);
  int count = 0;
  return library && find(library, "cuInit", d.init) && find(library, "cuDeviceGetCount", d.device_count) &&
         find(library, "cuCtxGetCurrent", d.current_context) &&
         find(library, "cuCtxGetDevice", d.current_device) &&
         find(library, "cuCtxPushCurrent_v2", d.push_context) &&
         find(library, "cuCtxPopCurrent_v2", d.pop_context) &&
         find(library, "cuDevicePrimaryCtxRetain", d.retain_context) &&
         find(library, "cuMemAlloc_v2", d.allocate) && find(library, "cuMemFree_v2", d.release) &&
         find(library, "cuMemAllocAsync", d.allocate_async) &&
         find(library, "cuMemFreeAsync", d.release_async) && find(library, "cuMemcpyAsync", d.copy_async) &&
         find(library, "cuThreadExchangeStreamCaptureMode", d.exchange_capture_mode) && d.init(0) == 0 &&
         d.device_count(&count) == 0 && count > 0;
}

DevicePointer device_pointer(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

Driver const* driver() noexcept {
  struct Opened {
    Driver table{};
    bool ready = fill(table);
  };
  static Opened const opened;  // trivial to destroy: clients free plans when the program ends
  return opened.ready ? &opened.table : nullptr;
}

int device_count() noexcept {
  int count = 0;
  return driver() && driver()->device_count(&count) == 0 ? count : 0;
}

int current_device() noexcept {
  Context context = nullptr;
  int device = 0;
  Driver const* const d = driver();
  return d && d->current_context(&context) == 0 && context && d->current_device(&device) == 0 ? device : 0;
}

CurrentContext::CurrentContext(int device) noexcept {
  Driver const* const d = driver();
  Context context = nullptr;
  int current = -1;
  if (!d || d->current_context(&context) != 0) return;
  if (context && d->current_device(&current) == 0 && current == device) {
    ready_ = true;
    return;
  }
  // Retained for good, as CUDA's runtime does.
  ready_ = pushed_ = d->retain_context(&context, device) == 0 && d->push_context(context) == 0;
}

CurrentContext::~CurrentContext() {
  Context context = nullptr;
  if (pushed_) driver()->pop_context(&context);
}

bool DeviceMemory::allocate(int device, std::size_t bytes) noexcept {
  CurrentContext const current(device);
  if (!current.ready()) return false;
  Unwatched const unwatched;
  device_ = device;
  return driver()->allocate(&pointer_, bytes) == 0;
}

DeviceMemory::~DeviceMemory() {
  if (!pointer_) return;
  CurrentContext const current(device_);
  Unwatched const unwatched;
  driver()->release(pointer_);  // waits for what uses it
}

void* StreamMemory::allocate(std::size_t bytes) noexcept {
  if (driver()->allocate_async(&pointer_, bytes, stream_) != 0) pointer_ = 0;
  return reinterpret_cast<void*>(pointer_);
}

StreamMemory::~StreamMemory() {
  if (pointer_) driver()->release_async(pointer_, stream_);
}

bool copy(void* to, void const* from, std::size_t bytes, Stream stream) noexcept {
  return driver()->copy_async(device_pointer(to), device_pointer(from), bytes, stream) == 0;
}

}  // namespace skipper::cufft
