// See kernels.h.
#include "gpu/kernels.h"

#include <optional>

#include "base/environment.h"
#include "gpu/assemble.h"
#include "gpu/cache.h"
#include "gpu/compiler.h"
#include "gpu/device.h"
#include "gpu/recorded.h"
#include "gpu/side_by_side.h"
#include "ir/contract.h"
#include "ir/cuda.h"
#include "ir/sink.h"

namespace skipper::gpu {
namespace {

struct Task {
  std::size_t sweep;
  FusedLaunch launch;
};

std::vector<Task> tasks_of(Prepared const& prepared) {
  std::vector<Task> all;
  for (std::size_t i = 0; i < prepared.sweeps.size(); ++i) {
    kernel::SweepSpec const& spec = prepared.sweeps[i].spec;
    if (is_fused_last(spec)) continue;
    all.push_back({i, FusedLaunch::first});
    if (is_fused_first(spec)) all.push_back({i, FusedLaunch::deferred});
  }
  return all;
}

std::string made_by(std::string const& architecture) {
  return "\n" + architecture + "\ndriver " + driver_version() + "\nrecorder " + recorder_hash;
}

std::string key_of(Prepared const& prepared, Task task, std::string const& architecture,
                   Residency const& residency) {
  std::string key = "traced " + text(prepared.sweeps[task.sweep].spec) +
                    (prepared.program.problem.precision == Precision::f64 ? "\nf64" : "\nf32");
  if (is_fused_first(prepared.sweeps[task.sweep].spec)) {
    kernel::FusedPasses const p = fused_passes(prepared, task.sweep);
    key += "\nfused " + text(prepared.sweeps[task.sweep + 1].spec);
    for (Index const number : {Index(p.tiles[0]), Index(p.tiles[1]), Index(p.all[0]), Index(p.all[1]),
                               Index(p.lead), Index(p.slots), Index(p.l2_block), Index(p.pitch)})
      key += " " + std::to_string(number);
    if (task.launch == FusedLaunch::deferred) key += " deferred";
  }
  if (has_user(prepared.sweeps[task.sweep].spec))
    key +=
        "\nload " + prepared.user.load + "\nstore " + prepared.user.store + "\nnvrtc " + compiler_version();
  return key + made_by(architecture) + "\nat most in local memory " + std::to_string(residency.harmless);
}

/// With functions of a user, which are CUDA C++: NVRTC compiles both. Their arrays are in local memory in any case, so that what ptxas
/// has spilled is what counts.
Kernel made_with_functions(Prepared const& prepared, ir::Kernel kernel, std::string const& architecture,
                           Residency const& residency) {
  std::string const users = user_source(prepared.user, prepared.program.problem.precision == Precision::f64);
  for (;; --kernel.resident) {
    std::string const source = ir::cuda(kernel, users);
    if (driver()->interpret) driver()->interpret(source.c_str(), kernel);
    CompiledSource made = compile_source(source, kernel.name, architecture);
    if (made.spilled <= residency.harmless || kernel.resident <= 1) return std::move(made.kernel);
  }
}

/// Compiled for as many blocks an SM as the spec says, or one less until what is in local memory is harmless. Items that were deferred
/// have an SM each to themselves.
Kernel made(Prepared const& prepared, Task task, std::string const& architecture,
            Residency const& residency) {
  ir::Kernel kernel = recorded(prepared, task.sweep, task.launch);
  if (task.launch == FusedLaunch::deferred) {
    kernel.resident = 1;
    return {assembled(kernel, architecture), kernel.name};
  }
  if (has_user(prepared.sweeps[task.sweep].spec))
    return made_with_functions(prepared, std::move(kernel), architecture, residency);
  for (;; --kernel.resident) {
    Kernel result{assembled(kernel, architecture), kernel.name};
    if (residency.local_bytes(task.sweep, result).value_or(0) <= residency.harmless || kernel.resident <= 1)
      return result;
  }
}

}  // namespace

bool are_kernels_traced() { return switched_on("SKIPPER_TRACED"); }

std::vector<SweepKernels> compiled(Prepared const& prepared, std::string const& architecture, Context context,
                                   Residency const& residency) {
  std::vector<SweepKernels> kernels(prepared.sweeps.size());
  auto const place = [&](Task task) -> Kernel& {
    SweepKernels& own = kernels[task.sweep];
    return task.launch == FusedLaunch::first ? own.kernel : own.deferred;
  };
  std::vector<Task> missing;
  for (Task const task : tasks_of(prepared)) {
    if (auto kept = fetch_kernel(key_of(prepared, task, architecture, residency)))
      place(task) = std::move(*kept);
    else
      missing.push_back(task);
  }
  side_by_side(missing.size(), [&](std::size_t m) {
    Unwatched const unwatched;
    Current const current(context);
    Task const task = missing[m];
    place(task) = made(prepared, task, architecture, residency);
    save_kernel(key_of(prepared, task, architecture, residency), place(task));
  });
  return kernels;
}

Kernel compiled(trace::PlainKernel kernel, bool is_complex, bool is_wide, std::string const& architecture) {
  std::string const key = "traced, no sweep " + std::to_string(int(kernel)) +
                          (is_complex ? " complex" : " real") + (is_wide ? " f64" : " f32") +
                          made_by(architecture);
  if (auto kept = fetch_kernel(key)) return std::move(*kept);
  ir::Type const real = is_wide ? ir::Type::f64 : ir::Type::f32;
  ir::Kernel const traced = ir::sunk(ir::contracted(trace::trace_plain(kernel, real, is_complex)));
  Kernel const made{assembled(traced, architecture), traced.name};
  save_kernel(key, made);
  return made;
}

}  // namespace skipper::gpu
