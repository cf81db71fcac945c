// From a spec to machine code: NVRTC compiles the embedded kernel text for one spec and one architecture. Compiled
// kernels are cached on disk, keyed by everything that went into them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernel/spec.h"
#include "plan/spec_text.h"

namespace skipper::gpu {

struct Kernel {
  std::string cubin;
  std::string name;  // in the cubin
};

/// Bytes of a thread that may be in local memory before its kernel is compiled anew for one block less an SM
/// (docs/decisions/0009): so much stays in L1, and costs less than a block. Fitted: bench/results/h200-choices.md.
inline constexpr int harmless_spill = 256;

/// Kernels in the cache on disk.
std::optional<Kernel> fetch_kernel(std::string const& key);
void save_kernel(std::string const& key, Kernel const& kernel);

/// How many blocks an SM a kernel is compiled for: as many as its spec says, or one less until what is in local memory is
/// harmless.
struct Residency {
  int harmless = harmless_spill;
  /// Bytes of a thread of spec i's kernel in local memory, by who has loaded it; nothing where nobody can say, then NVRTC's
  /// log is believed. Several threads call it at once, each for kernels of its own specs.
  std::function<std::optional<int>(std::size_t i, Kernel const& kernel)> local_bytes;
};

/// Compiles the kernels of several specs, on several threads, or fetches them from the cache. Of two fused passes the
/// first gets the kernel of both, the last an empty one. Throws Error with NVRTC's log, which names the user's text
/// where that is at fault.
std::vector<Kernel> compile(std::vector<kernel::SweepSpec> const& specs, bool is_double,
                            std::string const& architecture, UserText const& user = {},
                            Residency const& residency = {});

/// The same for a kernel that is no sweep, by the name it has as a C++ expression (kernel/plain_entry.h).
Kernel compile(std::string const& name, std::string const& architecture);

/// A kernel as CUDA C++ with functions of a user in front (ir/cuda.h), and bytes of a thread that ptxas has spilled. Throws Error with
/// NVRTC's log, which names the user's text where that is at fault.
struct CompiledSource {
  Kernel kernel;
  int spilled = 0;
};
CompiledSource compile_source(std::string const& source, std::string const& name,
                              std::string const& architecture);

/// The kernel headers as the build embedded them: name and text.
struct Header {
  char const* name;
  char const* text;
};
extern Header const kernel_headers[];
extern int const kernel_header_count;

/// What stands for all of the kernel text, and for all of the planner's, in the keys of caches.
std::string const& kernel_text_hash();
extern char const* const planner_hash;
/// And for all that makes machine code of a spec: kernel text, tracing, IR and its printers.
extern char const* const recorder_hash;

}  // namespace skipper::gpu
