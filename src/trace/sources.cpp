// See sources.h.
#include "trace/sources.h"

#include <stdexcept>

#include "base/machine.h"
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

namespace skipper::trace {
namespace {

std::string printed(ir::Kernel const& kernel, Machine const& machine, Language language) try {
  ir::Kernel const contracted = ir::contracted(kernel);
  if (language == Language::cuda) return ir::cuda(contracted);
  if (language == Language::opencl) return ir::opencl(contracted);
  return ir::ptx(contracted, {std::stoi(machine.architecture.substr(3))});
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

std::vector<KernelSource> sources(Problem const& problem, std::string_view machine_name,
                                  PlanningOptions const& options, Language language) {
  Machine const machine = skipper::machine(machine_name);
  if (machine.kind != MachineKind::gpu)
    throw Error("machine", "is " + machine.name + ", a CPU, which runs no kernels; name a GPU such as h200");
  Stopwatch watch;
  // OpenCL has neither clusters nor blocks that may wait for each other, so it gets the best program without.
  bool const blocks_alone = language == Language::opencl;
  gpu::Prepared const prepared = gpu::prepared(
      problem, machine,
      {.clusters = options.clusters && !blocks_alone, .l2_blocks = options.l2_blocks && !blocks_alone},
      watch);
  Program const& program = prepared.program;
  ir::Type const real = program.problem.precision == Precision::f64 ? ir::Type::f64 : ir::Type::f32;
  std::vector<std::string> const lines = lines_of(program);
  std::vector<KernelSource> all;
  for (std::size_t s = 0; s < program.sweeps.size(); ++s) {
    std::string const number =
        "sweep " + std::to_string(s + 1) + " of " + std::to_string(program.sweeps.size());
    if (!program.sweeps[s].fused) {
      all.push_back(
          {number + ": " + lines[s], printed(trace(prepared.sweeps[s].spec, real), machine, language)});
      continue;
    }
    gpu::PreparedSweep const &first = prepared.sweeps[s], &last = prepared.sweeps[s + 1];
    kernel::FusedPasses passes = gpu::fused_passes_of(gpu::l2_blocks_from(program, int(s)), first.tiles,
                                                      last.tiles, element_bytes(program.problem));
    for (bool const second : {false, true}) {
      passes.second_launch = second;
      std::string const launch = second ? "the items that were deferred" : "fused";
      all.push_back({"sweeps " + std::to_string(s + 1) + " and " + std::to_string(s + 2) + ", " + launch +
                         ": " + lines[s] + " " + lines[s + 1],
                     printed(trace_fused(first.spec, last.spec, passes, real), machine, language)});
    }
    ++s;
  }
  return all;
}

}  // namespace skipper::trace
