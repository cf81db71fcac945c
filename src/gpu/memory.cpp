// See memory.h.
#include "gpu/memory.h"

#include <skipper/error.h>

#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace skipper::gpu {
namespace {

std::string gigabytes(std::size_t bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f GB", double(bytes) / 1e9);
  return text;
}

[[noreturn]] void lacking(std::size_t bytes, char const* purpose) {
  std::size_t free = 0, total = 0;
  driver()->free_memory(&free, &total);
  throw Error("memory", std::string(purpose) + " needs " + gigabytes(bytes) + " of device memory but " +
                            gigabytes(free) + " of " + gigabytes(total) +
                            " are free; free some, use smaller batches, or supply workspace");
}

}  // namespace

Memory::Memory(std::size_t bytes) {
  if (!bytes) return;
  Status const status = driver()->allocate(&pointer_, bytes);
  if (status == out_of_memory) lacking(bytes, "a table of the plan");
  demand(status, "allocating device memory");
}

Memory::~Memory() {
  if (pointer_) driver()->release(pointer_);
}

std::shared_ptr<Pool const> Pool::of(int device) {
  static std::mutex mutex;
  static auto& pools = *new std::map<int, std::weak_ptr<Pool const>>;
  std::lock_guard const lock(mutex);
  if (auto const known = pools[device].lock()) return known;
  auto pool = std::make_shared<Pool>();
  if (has_pools(device)) {
    PoolProperties properties;
    properties.device = device;
    demand(driver()->create_pool(&pool->pool_, &properties), "making a memory pool");
    std::uint64_t all =
        std::numeric_limits<std::uint64_t>::max();  // waiting gives nothing back to the system
    demand(driver()->set_pool_fact(pool->pool_, release_threshold, &all), "setting up a memory pool");
  }
  pools[device] = pool;
  return pool;
}

Pool::~Pool() {
  if (pool_) driver()->destroy_pool(pool_);
}

DevicePointer Borrowed::take(std::size_t bytes, char const* purpose) {
  if (workspace_) return std::exchange(workspace_, workspace_ + part(bytes));
  DevicePointer pointer = 0;
  Driver const& d = *driver();
  if (!pool_.pool_ && capturing(stream_))
    throw Error("workspace",
                std::string(purpose) +
                    " cannot be allocated while the stream is captured: this device has no memory "
                    "pools; supply workspace_bytes() of device memory");
  taken_.reserve(taken_.size() + 1);
  Status const status =
      pool_.pool_ ? d.allocate_async(&pointer, bytes, pool_.pool_, stream_) : d.allocate(&pointer, bytes);
  if (status == out_of_memory) lacking(bytes, purpose);
  demand(status, "allocating device memory in stream order");
  taken_.push_back(pointer);
  return pointer;
}

Borrowed::~Borrowed() {
  if (taken_.empty()) return;
  Driver const& d = *driver();
  if (!pool_.pool_) d.synchronise_stream(stream_);
  for (DevicePointer const pointer : taken_)
    pool_.pool_ ? d.release_async(pointer, stream_) : d.release(pointer);
}

bool capturing(Stream stream) {
  int status = 0;
  demand(driver()->is_capturing(stream, &status), "checking whether the stream is captured");
  return status != 0;
}

}  // namespace skipper::gpu
