// From a spec to machine code: NVRTC compiles the embedded kernel text for one spec and one architecture. Compiled
// kernels are kept on disk, keyed by everything that went into them.
#pragma once

#include <string>
#include <vector>

#include "kernel/spec.h"
#include "plan/spec_text.h"

namespace skipper::gpu {

struct Kernel {
  std::string cubin;
  std::string name;  // in the cubin
};

/// Compiles or fetches the kernels of several specs, on several threads; of two that are yoked the first gets the kernel of
/// both, and the last an empty one. Throws Error with NVRTC's log, which names the
/// user's text where that is at fault.
std::vector<Kernel> compile(std::vector<kernel::SweepSpec> const& specs, bool is_double,
                            std::string const& architecture, UserText const& user = {});

/// The same for a kernel that is no sweep, by the name it has as a C++ expression (kernel/plain_entry.h).
Kernel compile(std::string const& name, std::string const& architecture);

/// Bytes that a thread may spill before its kernel is compiled anew for fewer blocks an SM than so many: four
/// registers, or eight where a block would be alone (cosines in the middle of a Poisson solve, 512^3 f32: 1.5 x copy
/// with 24 bytes, 2.2 alone; H200, 2026-11-16).
constexpr int harmless_spill(int resident) { return resident == 2 ? 32 : 16; }

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

}  // namespace skipper::gpu
