// Device memory: owned, and taken in stream order for the time of one execution.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/device_alignment.h"
#include "gpu/device.h"

namespace skipper::gpu {

/// Memory that is given back at the end. The context must be current at either end.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept : pointer_(other.pointer_) { other.pointer_ = 0; }
  Memory& operator=(Memory&&) = delete;
  DevicePointer at() const { return pointer_; }

 private:
  DevicePointer pointer_ = 0;
};

/// A device's pool for what executions need only while they run. It keeps what it once got, and is shared by all plans
/// of the device; the driver hands memory from stream to stream in order, also into graphs under capture.
class Pool {
 public:
  /// The device's pool, made when it is first needed.
  static std::shared_ptr<Pool const> of(int device);
  ~Pool();

 private:
  friend class Borrowed;
  MemoryPool pool_ =
      nullptr;  // null where the device has none: then memory is allocated plainly, and waited for
};

/// Memory from a pool that goes back in stream order at the end of the scope, or parts of the caller's workspace.
class Borrowed {
 public:
  Borrowed(Pool const& pool, Stream stream, void* workspace = nullptr)
      : pool_(pool), stream_(stream), workspace_(reinterpret_cast<DevicePointer>(workspace)) {}
  ~Borrowed();
  Borrowed(Borrowed const&) = delete;
  Borrowed& operator=(Borrowed const&) = delete;
  /// Throws Error where there is not enough, naming what it is for. Of a workspace parts are taken one after the other.
  DevicePointer take(std::size_t bytes, char const* purpose);

  /// What a part of a workspace takes of it.
  static constexpr std::size_t part(std::size_t bytes) { return device_aligned(bytes); }

 private:
  Pool const& pool_;
  Stream stream_;
  DevicePointer workspace_ = 0;  // what is left of it
  std::vector<DevicePointer> taken_;
};

/// Whether the stream is being captured into a graph: nothing may wait then.
bool capturing(Stream stream);

}  // namespace skipper::gpu
