// The kernels of a problem's best program as text: traced as they are, without a compiler or a GPU.
#pragma once

#include <skipper/planning.h>

#include <string>
#include <string_view>
#include <vector>

namespace skipper::gpu {

enum class Language { ptx, cuda, opencl };

struct KernelSource {
  std::string title;  // which sweeps it runs, and in which launch
  std::string text;   // a module of its own
};

/// Throws Error where the machine is no GPU, or the language has not what a kernel takes.
std::vector<KernelSource> kernel_sources(Problem const& problem, std::string_view machine,
                                         PlanningOptions const& options, Language language);

}  // namespace skipper::gpu
