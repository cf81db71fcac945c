// Where transforms run, by name: "cpu", "cuda:0", or "best" for the fastest device present. A Device is a plain value
// that names something which exists; asking for what does not is an Error that lists what does.
#pragma once

#include <skipper/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace skipper {

class Device {
 public:
  // Throws Error where there is no such device, or where this build cannot use it.
  explicit Device(std::string_view name = "best");

  // "cpu": what "best" stood for, never "best" itself.
  std::string const& name() const noexcept { return name_; }

  bool operator==(Device const&) const = default;

 private:
  std::string name_;
};

struct DeviceDescription {
  std::string name;                           // what Device takes
  std::string title;                          // one line for people
  std::string machine;                        // its facts, one line, as planning.h reads them
  std::vector<std::string> instruction_sets;  // best first; a CPU only
};

// The devices that this build can use on this machine; the best one is the first.
std::vector<DeviceDescription> devices();

// What a GPU lacks to be one of them, a sentence each: no driver, no GPU, no NVRTC, with what was tried and the way out.
// Empty where nothing is missing.
std::vector<std::string> missing_for_gpu();

}  // namespace skipper
