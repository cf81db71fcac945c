// See kernel_sources.h.
#include "kernel_sources.h"

#include <stdexcept>

#include "base/machine.h"
#include "format.h"
#include "gpu/fused_passes.h"
#include "gpu/loaded.h"
#include "gpu/prepare.h"
#include "ir/contract.h"
#include "ir/cuda.h"
#include "ir/opencl.h"
#include "ir/ptx.h"
#include "plan/program.h"
#include "trace/fused.h"
#include "trace/trace.h"

namespace skipper::cli {
namespace {

std::string printed(ir::Kernel const& kernel, Machine const& machine, Language language) try {
  ir::Kernel const contracted = ir::contracted(kernel);
  if (language == Language::cuda) return ir::cuda(contracted);
  if (language == Language::opencl) return ir::opencl(contracted);
  return ir::ptx(contracted, {std::stoi(machine.architecture.substr(3))});
} catch (std::invalid_argument const& e) {
  throw Error("source", e.what());
}

// The lines of the program's text that sweeps are, without its first.
std::vector<std::string> lines_of(skipper::Program const& program) {
  std::vector<std::string> lines;
  std::string const all = skipper::text(program);
  for (std::size_t at = all.find('\n'); at != std::string::npos && at + 1 < all.size();) {
    std::size_t const end = all.find('\n', at + 1);
    lines.push_back(all.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  return lines;
}

}  // namespace

Language language_from(std::string const& name) {
  return name == "ptx" ? Language::ptx : name == "cuda" ? Language::cuda : Language::opencl;
}

std::vector<KernelSource> kernel_sources(Problem const& problem, std::string const& machine_name,
                                         PlanningOptions const& options, Language language) {
  Machine const machine = skipper::machine(machine_text(machine_name));
  if (machine.kind != MachineKind::gpu)
    throw Error("machine", "is " + machine.name + ", a CPU, which runs no kernels; name a GPU such as h200");
  Stopwatch watch;
  // OpenCL has neither clusters nor blocks that may wait for each other, so it gets the best program without.
  bool const blocks_alone = language == Language::opencl;
  gpu::Prepared const prepared = gpu::prepared(
      problem, machine,
      {.clusters = options.clusters && !blocks_alone, .l2_blocks = options.l2_blocks && !blocks_alone},
      watch);
  skipper::Program const& program = prepared.program;
  ir::Type const real = program.problem.precision == Precision::f64 ? ir::Type::f64 : ir::Type::f32;
  std::vector<std::string> const lines = lines_of(program);
  std::vector<KernelSource> all;
  for (std::size_t s = 0; s < program.sweeps.size(); ++s) {
    std::string const number = formatted("sweep {} of {}", s + 1, program.sweeps.size());
    if (!program.sweeps[s].fused) {
      all.push_back({number + ": " + lines[s],
                     printed(trace::trace(prepared.sweeps[s].spec, real), machine, language)});
      continue;
    }
    gpu::PreparedSweep const &first = prepared.sweeps[s], &last = prepared.sweeps[s + 1];
    kernel::FusedPasses passes = gpu::fused_passes_of(gpu::l2_blocks_from(program, int(s)), first.tiles,
                                                      last.tiles, element_bytes(program.problem));
    for (bool const second : {false, true}) {
      passes.second_launch = second;
      all.push_back({formatted("sweeps {} and {}, {}: {} {}", s + 1, s + 2,
                               second ? "the items that were deferred" : "fused", lines[s], lines[s + 1]),
                     printed(trace::trace_fused(first.spec, last.spec, passes, real), machine, language)});
    }
    ++s;
  }
  return all;
}

}  // namespace skipper::cli
