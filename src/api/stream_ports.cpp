// See stream_ports.h.
#include "api/stream_ports.h"

#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "api/cpu_port.h"
#include "api/cuda_port.h"
#include "api/engine.h"
#include "api/settings.h"
#include "base/check_enum.h"
#include "cpu/process.h"
#include "stream/bandwidths.h"

namespace skipper {
namespace {

/// Half of what the system says is free, so that its caches and the user's arrays have the other half.
std::int64_t free_memory() {
  long const pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::int64_t(pages) * size / 2 : std::int64_t(1) << 30;
}

void demand_sound(StreamSettings const& settings) {
  check_settings(settings.cpu);
  check_enum("strategy", settings.strategy, StreamStrategy::device_only);
  if (settings.memory_limit < 0)
    throw Error("memory_limit", "is " + std::to_string(settings.memory_limit) +
                                    " bytes but must be at least 0, which is what is free");
}

}  // namespace

void demand_no_stream(ExecuteSettings const& settings) {
  if (settings.stream)
    throw Error("stream", "is given but data go through the device in streams of its own; leave it out");
}

cpu::Options host_options(StreamSettings const& settings) { return cpu_options(settings.cpu); }

void with_device(
    StreamSettings const& settings,
    std::function<void(std::unique_ptr<stream::Device>, std::int64_t, StreamStrategy)> const& make) {
  demand_sound(settings);
  std::int64_t const limit = settings.memory_limit;
  if (auto const number = cuda_number(settings.device.name())) try {
      auto device = std::make_unique<CudaDevice>(*number);
      std::int64_t const most = limit > 0 ? limit : device->free_bytes() / 10 * 9;
      return make(std::move(device), most, settings.strategy);
    } catch (Error const&) {
      if (!settings.device.is_best()) throw;
    }
  make(std::make_unique<CpuDevice>(host_options(settings)), limit > 0 ? limit : free_memory(),
       StreamStrategy::device_only);
}

stream::Bandwidths bandwidths_for(StreamSettings const& settings, stream::Device& device,
                                  std::int64_t limit) {
  constexpr std::int64_t bytes = std::int64_t(32) << 20;
  if (settings.strategy != StreamStrategy::automatic || device.shares_memory() || limit < 2 * bytes)
    return {};
  struct Measured {
    std::mutex mutex;
    std::map<std::string, stream::Bandwidths> known;
  };
  static constinit cpu::PerProcess<Measured> all;
  Measured& measured = all.get();
  std::lock_guard const lock(measured.mutex);
  auto const at = measured.known.find(settings.device.name());
  if (at != measured.known.end()) return at->second;
  CpuHost host(host_options(settings));
  return measured.known[settings.device.name()] = stream::measured(device, host, bytes);
}

}  // namespace skipper
