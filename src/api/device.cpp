// Names of devices, and what stands behind them. The CPU is always there; GPUs are where their driver and NVRTC are.
#include <skipper/device.h>

#include <algorithm>
#include <utility>

#include "api/engine.h"
#include "base/lazy.h"
#include "base/machine.h"
#include "cpu/engine.h"
#include "gpu/cache.h"
#include "gpu/device.h"
#include "gpu/kernels.h"

namespace skipper {
namespace {

std::string usable() {
  std::string list = "best";
  for (DeviceDescription const& d : devices()) list += ", " + d.name;
  return list;
}

std::string cuda_name(int device) { return "cuda:" + std::to_string(device); }

/// Devices that programs can be run on: none where kernels cannot be compiled.
int usable_gpus() {
  return gpu::device_count() > 0 && (gpu::are_kernels_traced() || gpu::nvrtc()) ? gpu::device_count() : 0;
}

DeviceDescription gpu_description(int device) {
  Machine const& m = gpu::device_machine(device);
  std::string const title = "GPU " + gpu::device_title(device) + ", " + m.architecture + ", " +
                            std::to_string(m.sms) + " multiprocessors, CUDA " + gpu::driver_version() +
                            (gpu::nvrtc() ? ", NVRTC " + gpu::nvrtc_version() : "");
  return {cuda_name(device), title, text(m), {}};
}

DeviceDescription cpu_description() {
  Machine const host = cpu::host_machine();
  std::string const cores = std::to_string(host.sms) + (host.sms == 1 ? " core" : " cores");
  std::vector<std::string> sets = cpu::instruction_sets();
  std::reverse(sets.begin(), sets.end());  // the best one first
  return {"cpu", "CPU " + host.name + ", " + host.architecture + ", " + cores, text(host), std::move(sets)};
}

}  // namespace

std::optional<int> cuda_number(std::string_view name) {
  if (name == "cuda") return 0;
  if (!name.starts_with("cuda:") || name.size() == 5 || name.size() > 9) return std::nullopt;
  int number = 0;
  for (char const c : name.substr(5)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number;
}

Device::Device(std::string_view name) : name_(name) {
  if (name == "best" || name == "cpu") return;
  std::string const quoted = "'" + std::string(name.substr(0, 40)) + "' ";
  auto const number = cuda_number(name);
  if (!number) throw Error("device", quoted + "is not a device; use " + usable());
  if (auto const missing = missing_for_gpu(); !missing.empty())
    throw Error("device", quoted + "cannot be used: " + missing[0] + "; or use " + usable());
  if (*number >= usable_gpus()) throw Error("device", quoted + "is not there; use " + usable());
  name_ = cuda_name(*number);
}

std::string const& Device::name() const {
  if (name_.empty()) throw Error("device", "was moved from; assign another one to it");
  if (!is_best()) return name_;
  // A child of fork() may have lost the GPU that its parent had.
  static constinit Lazy<std::string> cpu, best;
  if (gpu::driver_is_lost()) return cpu.get([] { return "cpu"; });
  return best.get([] { return usable_gpus() > 0 ? cuda_name(0) : "cpu"; });
}

std::vector<DeviceDescription> devices() {
  std::vector<DeviceDescription> all;
  for (int d = 0; d < usable_gpus(); ++d) all.push_back(gpu_description(d));
  all.push_back(cpu_description());
  return all;
}

std::vector<std::string> missing_for_gpu() {
  std::vector<std::string> missing;
  std::string reason;
  if (gpu::device_count(&reason) == 0) missing.push_back(reason);
  if (!gpu::are_kernels_traced() && !gpu::nvrtc(&reason)) missing.push_back(reason);
  return missing;
}

KernelCache kernel_cache() {
  return {gpu::cache_folder(), std::int64_t(gpu::cache_bytes()), gpu::cache_faults()};
}

}  // namespace skipper
