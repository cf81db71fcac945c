// A unique pointer to device memory.
#pragma once

#include <memory>
#include <utility>

#include "distributed/gpu_port.h"

namespace skipper::distributed {

/// Owns memory of a device, or pinned memory of its host.
class Owned {
 public:
  Owned() = default;
  Owned(std::shared_ptr<Gpu> gpu, Index bytes, bool host = false) : gpu_(std::move(gpu)), host_(host) {
    if (bytes > 0) memory_ = host ? gpu_->allocate_host(bytes) : gpu_->allocate(bytes);
  }
  Owned(Owned&& other) noexcept { *this = std::move(other); }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(memory_, other.memory_);
    std::swap(host_, other.host_);
    return *this;
  }
  ~Owned() {
    if (memory_) host_ ? gpu_->release_host(memory_) : gpu_->release(memory_);
  }
  void* memory() const { return memory_; }

 private:
  std::shared_ptr<Gpu> gpu_;
  void* memory_ = nullptr;
  bool host_ = false;
};

}  // namespace skipper::distributed
