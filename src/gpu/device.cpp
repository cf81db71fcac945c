// See device.h.
#include "gpu/device.h"

#include <skipper/error.h>

#include <map>
#include <mutex>
#include <utility>

#include "gpu/bandwidth.h"
#include "gpu/facts.h"

namespace skipper::gpu {
namespace {

DeviceHandle handle_of(int device) {
  DeviceHandle handle = 0;
  demand(demand_driver().device(&handle, device), "finding the device");
  return handle;
}

Index fact(DeviceFact which, DeviceHandle handle) {
  int value = 0;
  demand(demand_driver().device_fact(&value, int(which), handle), "reading a device attribute");
  return Index(value);
}

std::mutex& facts_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

int device_count(std::string* reason) {
  Driver const* const d = driver(reason);
  int count = 0;
  if (d && d->device_count(&count) != 0) count = 0;
  if (d && count == 0 && reason && !driver_is_lost())
    *reason = "the CUDA driver is installed but finds no GPU; see what CUDA_VISIBLE_DEVICES hides";
  return count;
}

std::string device_title(int device) {
  char name[256] = {};
  demand(demand_driver().device_name(name, 255, handle_of(device)), "reading the device's name");
  return name;
}

Machine const& device_machine(int device) {
  static auto& machines = *new std::map<int, Machine>;  // never destroyed, as the driver's table
  {
    std::lock_guard const lock(facts_mutex());
    if (auto const known = machines.find(device); known != machines.end()) return known->second;
  }
  DeviceFacts const facts = read_facts(device);
  Machine const found = machine_from(facts, [&] { return measured_bandwidth(device, facts); });
  std::lock_guard const lock(facts_mutex());
  return machines.emplace(device, found).first->second;  // the first one's, where two threads called at once
}

bool has_pools(int device) { return fact(DeviceFact::memory_pools, handle_of(device)) != 0; }

Context context_for(int device) {
  Driver const& d = demand_driver();
  Context context = nullptr;
  demand(d.current_context(&context), "reading the current context");
  DeviceHandle const wanted = handle_of(device);
  DeviceHandle current = -1;
  if (context) demand(d.current_device(&current), "reading the current device");
  if (context && current == wanted) return context;
  // Retained once for each device and never given back, as the runtime does.
  static auto& primary = *new std::map<int, Context>;
  std::lock_guard const lock(facts_mutex());
  auto const known = primary.find(device);
  if (known != primary.end()) return known->second;
  demand(d.retain_context(&context, wanted), "retaining the device's context");
  return primary.emplace(device, context).first->second;
}

Current::Current(Context context) {
  Driver const& d = *driver();
  Context current = nullptr;
  demand(d.current_context(&current), "reading the current context");
  if (current == context) return;
  demand(d.push_context(context), "making the context current");
  pushed_ = true;
}

Current::~Current() {
  Context context = nullptr;
  if (pushed_) driver()->pop_context(&context);
}

}  // namespace skipper::gpu
