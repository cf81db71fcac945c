// Names of devices, and what stands behind them. The CPU is always there; GPUs come with their engine.
#include <skipper/device.h>

#include <algorithm>
#include <utility>

#include "base/machine.h"
#include "cpu/engine.h"
#include "gpu/driver.h"

namespace skipper {
namespace {

std::string usable() {
  std::string list = "best";
  for (DeviceDescription const& d : devices()) list += ", " + d.name;
  return list;
}

bool names_cuda(std::string_view name) {
  if (!name.starts_with("cuda")) return false;
  std::string_view const rest = name.substr(4);
  bool const numbered =
      rest.size() > 1 && rest[0] == ':' &&
      std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; });
  return rest.empty() || numbered;
}

}  // namespace

Device::Device(std::string_view name) : name_(name == "best" ? "cpu" : name) {
  if (name_ == "cpu") return;
  std::string const quoted = "'" + name_.substr(0, 40) + "' ";
  if (names_cuda(name_))
    throw Error("device",
                quoted + "is not in this build yet: GPUs can be planned for but not run on; use " + usable());
  throw Error("device", quoted + "is not a device; use " + usable());
}

std::vector<DeviceDescription> devices() {
  Machine const host = cpu::host_machine();
  std::string const cores = std::to_string(host.sms) + (host.sms == 1 ? " core" : " cores");
  std::vector<std::string> sets = cpu::instruction_sets();
  std::reverse(sets.begin(), sets.end());  // the best one first
  return {{"cpu", "CPU " + host.name + ", " + host.architecture + ", " + cores, text(host), std::move(sets)}};
}

std::vector<std::string> missing_for_gpu() {
  std::vector<std::string> missing;
  std::string reason;
  if (!gpu::driver(&reason)) missing.push_back(reason);
  if (!gpu::nvrtc(&reason)) missing.push_back(reason);
  return missing;
}

}  // namespace skipper
