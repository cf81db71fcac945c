#pragma once
// Compiles the kernel text as the product will, with NVRTC, on a machine with or without a GPU, and tells what the
// compiler made of it. NVRTC is opened at run time; nothing here needs CUDA to build.
#include <optional>
#include <string>
#include <vector>

namespace skipper::testing {

/// What one kernel costs each thread.
struct KernelUse {
  std::string lowered;  // its name in the cubin
  int registers = 0;
  int local_bytes = 0;  // stack in local memory: arrays that did not stay in registers, and spilled registers
  int spill_stores = 0, spill_loads = 0;  // bytes
  int instructions = 0;                   // in its code; kernels are straight lines, so as many are executed
};

struct Compiled {
  bool ok = false;
  std::string log;
  double seconds = 0;
  std::string ptx, cubin;          // empty unless ok
  std::vector<KernelUse> kernels;  // one for each name expression, unless it failed
};

class Nvrtc {
 public:
  /// Nothing where the machine has no NVRTC.
  static std::optional<Nvrtc> open();

  /// The library's own version, 13000 for 13.0.
  int version() const { return version_; }
  /// Whether it knows this architecture: 90 for sm_90.
  bool supports(int architecture) const;

  /// Compiles `source`, which may include any header of src/kernel by its name ("kernel/entry.h"), for one
  /// architecture: "sm_90", or "compute_90" for PTX alone, which is half the work. A source that does not compile gives a result that is not ok. Threads may call it at once.
  Compiled compile(std::string const& source, std::vector<std::string> const& name_expressions,
                   std::string const& architecture, std::vector<std::string> options = {}) const;

 private:
  struct Functions;
  struct Header {
    std::string name, text;
  };

  Functions const* nvrtc_ = nullptr;  // lives as long as the program
  int version_ = 0;
  std::vector<Header> headers_;
};

}  // namespace skipper::testing
