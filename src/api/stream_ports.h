// The device that stream settings name, as a port of the pipeline, and memory of the host between passes.
#pragma once

#include <skipper/stream.h>

#include <functional>
#include <memory>
#include <new>

#include "cpu/engine.h"
#include "stream/port.h"
#include "stream/schedule.h"

namespace skipper {

/// Throws Error for a stream: what goes through a device slice by slice has streams of its own.
void demand_no_stream(ExecuteSettings const& settings);

/// What the settings say of the host.
cpu::Options host_options(StreamSettings const& settings);

/// Calls make(device, bytes it may use, strategy) for the device of the settings. With "best", what the GPU cannot do, so
/// that make throws an Error, is done by the CPU, on which the device does all: what a host did beside it would only go
/// round the limit. Throws Error where the settings make no sense.
void with_device(
    StreamSettings const& settings,
    std::function<void(std::unique_ptr<stream::Device>, std::int64_t, StreamStrategy)> const& make);

/// What decides between strategies: where that is to be decided, and 64 MB of the device may be used, measured once for each
/// device; else the facts of one machine.
stream::Bandwidths bandwidths_for(StreamSettings const& settings, stream::Device& device, std::int64_t limit);

class HostMemory {
 public:
  explicit HostMemory(std::int64_t bytes)
      : data_(bytes > 0 ? ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64)) : nullptr) {}
  void* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, std::align_val_t(64)); }
  };
  std::unique_ptr<void, Free> data_;
};

}  // namespace skipper
