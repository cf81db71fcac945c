#include "gpu/device.h"

#include <skipper/error.h>

#include <cctype>
#include <map>
#include <mutex>
#include <utility>

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

/// "NVIDIA GeForce RTX 3080" as "nvidia-geforce-rtx-3080".
std::string one_word(std::string const& title) {
  std::string word;
  for (unsigned char c : title) {
    if (std::isalnum(c))
      word += char(std::tolower(c));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.empty() ? "gpu" : word;
}

/// A device that we know, or the nearest one under its own name. The floor of a sweep is then 0.88 of what memory's
/// clock and width promise, the part that we measured on the H200 (2026-10).
Machine nearest(std::string const& title, DeviceHandle handle) {
  for (auto const& [mark, name] :
       {std::pair{"H200", "h200"}, {"H100", "h100"}, {"A100", "a100"}, {"RTX 4090", "rtx4090"}})
    if (title.find(mark) != std::string::npos) return machine(name);
  Machine m = machine(fact(DeviceFact::major, handle) >= 9 ? "h200" : "a100");
  m.name = one_word(title);
  double const promised = 2e3 * double(fact(DeviceFact::memory_clock, handle)) *
                          double(fact(DeviceFact::memory_width, handle)) / 8;
  if (promised > 0) m.copy_bandwidth = 0.88 * promised;
  return m;
}

Machine read_machine(int device) {
  Driver const& d = demand_driver();
  DeviceHandle const handle = handle_of(device);
  Machine m = nearest(device_title(device), handle);
  m.architecture = "sm_" + std::to_string(fact(DeviceFact::major, handle)) +
                   std::to_string(fact(DeviceFact::minor, handle));
  m.sms = fact(DeviceFact::sms, handle);
  m.threads_block = fact(DeviceFact::threads_block, handle);
  m.threads_sm = fact(DeviceFact::threads_sm, handle);
  m.blocks_sm = fact(DeviceFact::blocks_sm, handle);
  m.registers_sm = fact(DeviceFact::registers_sm, handle);
  m.shared_block = fact(DeviceFact::shared_block, handle);
  m.shared_sm = fact(DeviceFact::shared_sm, handle);
  m.shared_reserved = fact(DeviceFact::shared_reserved, handle);
  m.l2_bytes = fact(DeviceFact::l2_bytes, handle);
  if (!fact(DeviceFact::cluster_launch, handle)) m.cluster = 1;
  std::size_t bytes = 0;
  demand(d.device_memory(&bytes, handle), "reading the device's memory size");
  m.memory_bytes = Index(bytes);
  return m;
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
  if (d && count == 0 && reason)
    *reason = "the CUDA driver is installed but finds no GPU; see what CUDA_VISIBLE_DEVICES hides";
  return count;
}

std::string device_title(int device) {
  char name[256] = {};
  demand(demand_driver().device_name(name, 255, handle_of(device)), "reading the device's name");
  return name;
}

Machine const& device_machine(int device) {
  static auto& facts = *new std::map<int, Machine>;  // never destroyed, as the driver's table
  std::lock_guard const lock(facts_mutex());
  auto const known = facts.find(device);
  if (known != facts.end()) return known->second;
  return facts.emplace(device, read_machine(device)).first->second;
}

bool has_pools(int device) { return fact(DeviceFact::memory_pools, handle_of(device)) != 0; }

Context context_for(int device) {
  Driver const& d = demand_driver();
  Context context = nullptr;
  demand(d.current_context(&context), "asking for the current context");
  DeviceHandle const wanted = handle_of(device);
  DeviceHandle current = -1;
  if (context) demand(d.current_device(&current), "asking for the current device");
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
  demand(d.current_context(&current), "asking for the current context");
  if (current == context) return;
  demand(d.push_context(context), "making the context current");
  pushed_ = true;
}

Current::~Current() {
  Context context = nullptr;
  if (pushed_) driver()->pop_context(&context);
}

}  // namespace skipper::gpu
