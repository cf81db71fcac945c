// Where transforms run, by name: "cpu", "cuda:0", or "best" for the first GPU that can be used, and the CPU where there is
// none. A Device is a plain value that names something which exists; asking for what does not is an Error that lists what does.
#pragma once

#include <skipper/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skipper {

class Device {
 public:
  // Throws Error where there is no such device, or where it cannot be used. "cuda" is "cuda:0".
  explicit Device(std::string_view name = "best");

  // "cpu" or "cuda:0": what "best" stood for, never "best" itself. No GPU is touched before this is asked. Throws Error
  // where the value was moved from.
  std::string const& name() const;

  // Whether it was asked for as "best". A plan may then use the CPU for what the GPU cannot do.
  bool is_best() const noexcept { return name_ == "best"; }

  bool operator==(Device const& other) const { return name() == other.name(); }

 private:
  std::string name_;  // empty when moved from
};

struct DeviceDescription {
  std::string name;                           // what Device takes
  std::string title;                          // one line for people
  std::string machine;                        // its facts, one line, as planning.h reads them
  std::vector<std::string> instruction_sets;  // best first; a CPU only
};

// The devices that can be used on this machine; the best one is the first.
std::vector<DeviceDescription> devices();

// What a GPU lacks to be one of them, a sentence each: no driver, no GPU, no NVRTC, with what was tried and the way out.
// Empty where nothing is missing.
std::vector<std::string> missing_for_gpu();

// Where compiled kernels and prepared plans are kept on disk.
struct KernelCache {
  std::string folder;               // empty where nothing is kept
  std::int64_t bytes = 0;           // how large it may grow
  std::vector<std::string> faults;  // why it is not used, or not as the environment says, a sentence each
};
KernelCache kernel_cache();

}  // namespace skipper
