// The few calls of CUDA's driver that the interface makes by itself: which device is current, memory for work areas and
// for arrays that are staged. The library is opened at run time, as Skipper's engine does it.
#pragma once

#include <cstddef>

namespace skipper::cufft {

using Context = void*;
using Stream = void*;
using DevicePointer = unsigned long long;

struct Driver {
  int (*init)(unsigned);
  int (*device_count)(int*);
  int (*current_context)(Context*);
  int (*current_device)(int*);
  int (*push_context)(Context);
  int (*pop_context)(Context*);
  int (*retain_context)(Context*, int);
  int (*allocate)(DevicePointer*, std::size_t);
  int (*release)(DevicePointer);
  int (*allocate_async)(DevicePointer*, std::size_t, Stream);
  int (*release_async)(DevicePointer, Stream);
  int (*copy_async)(DevicePointer, DevicePointer, std::size_t, Stream);
  int (*exchange_capture_mode)(int*);
};

/// Null where there is no driver, or no GPU.
Driver const* driver() noexcept;

/// How many there are; 0 without a driver.
int device_count() noexcept;

/// The device of the caller's current context; 0 where the thread has none yet, as CUDA's runtime has it.
int current_device() noexcept;

/// Makes the context current that Skipper plans in for a device: the caller's, if it is one of that device, else the
/// primary one. Restores what was there at the end. `ready` says whether it could be done.
class CurrentContext {
 public:
  explicit CurrentContext(int device) noexcept;
  ~CurrentContext();
  CurrentContext(CurrentContext const&) = delete;
  CurrentContext& operator=(CurrentContext const&) = delete;
  bool ready() const { return ready_; }

 private:
  bool ready_ = false, pushed_ = false;
};

/// Memory that is given back at the end; no capture of a stream elsewhere minds.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(DeviceMemory const&) = delete;
  DeviceMemory& operator=(DeviceMemory const&) = delete;
  /// False where there is not enough. Called once.
  bool allocate(int device, std::size_t bytes) noexcept;
  void* at() const { return reinterpret_cast<void*>(pointer_); }

 private:
  DevicePointer pointer_ = 0;
  int device_ = 0;
};

/// Memory that comes and goes in stream order: for the time of one execution, also of one under capture.
class StreamMemory {
 public:
  explicit StreamMemory(Stream stream) : stream_(stream) {}
  ~StreamMemory();
  StreamMemory(StreamMemory const&) = delete;
  StreamMemory& operator=(StreamMemory const&) = delete;
  /// Null where there is not enough.
  void* allocate(std::size_t bytes) noexcept;

 private:
  Stream stream_;
  DevicePointer pointer_ = 0;
};

/// Within the device, in stream order. False where it cannot be enqueued.
bool copy(void* to, void const* from, std::size_t bytes, Stream stream) noexcept;

}  // namespace skipper::cufft
