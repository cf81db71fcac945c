// See kernel_sources.h.
#include "gpu/kernel_sources.h"

#include <stdexcept>

#include "base/machine.h"
#include "gpu/prepare.h"
#include "gpu/recorded.h"
#include "ir/cuda.h"
#include "ir/opencl.h"
#include "ir/ptx.h"
#include "plan/program.h"

namespace skipper::gpu {
namespace {

std::string printed(ir::Kernel const& kernel, Machine const& machine, Language language) try {
  if (language == Language::cuda) return ir::cuda(kernel);
  if (language == Language::opencl) return ir::opencl(kernel);
  return ir::ptx(kernel, {std::stoi(machine.architecture.substr(3))});
} catch (std::invalid_argument const& e) {
  throw Error("source", e.what());
}

/// The lines of the program's text that sweeps are, without its first.
std::vector<std::string> lines_of(Program const& program) {
  std::vector<std::string> lines;
  std::string const all = text(program);
  for (std::size_t at = all.find('\n'); at != std::string::npos && at + 1 < all.size();) {
    std::size_t const end = all.find('\n', at + 1);
    lines.push_back(all.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  return lines;
}

}  // namespace

std::vector<KernelSource> kernel_sources(Problem const& problem, std::string_view machine_name,
                                         PlanningOptions const& options, Language language) {
  Machine const machine = skipper::machine(machine_name);
  if (machine.kind != MachineKind::gpu)
    throw Error("machine", "is " + machine.name + ", a CPU, which runs no kernels; name a GPU such as h200");
  Stopwatch watch;
  // OpenCL has neither clusters nor blocks that may wait for each other, so it gets the best program without.
  bool const blocks_alone = language == Language::opencl;
  Prepared const prepared = gpu::prepared(
      problem, machine,
      {.clusters = options.clusters && !blocks_alone, .l2_blocks = options.l2_blocks && !blocks_alone},
      watch);
  std::vector<std::string> const lines = lines_of(prepared.program);
  std::vector<KernelSource> all;
  for (std::size_t s = 0; s < lines.size(); ++s) {
    if (is_fused_last(prepared.sweeps[s].spec)) continue;
    std::string const number = std::to_string(s + 1);
    if (!is_fused_first(prepared.sweeps[s].spec)) {
      all.push_back({"sweep " + number + " of " + std::to_string(lines.size()) + ": " + lines[s],
                     printed(recorded(prepared, s), machine, language)});
      continue;
    }
    std::string const both = "sweeps " + number + " and " + std::to_string(s + 2) + ", ",
                      text = ": " + lines[s] + " " + lines[s + 1];
    all.push_back({both + "fused" + text, printed(recorded(prepared, s), machine, language)});
    all.push_back({both + "the items that were deferred" + text,
                   printed(recorded(prepared, s, FusedLaunch::deferred), machine, language)});
  }
  return all;
}

}  // namespace skipper::gpu
