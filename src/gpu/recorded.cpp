// See recorded.h.
#include "gpu/recorded.h"

#include <stdexcept>

#include "gpu/fused_passes.h"
#include "gpu/loaded.h"
#include "ir/contract.h"
#include "ir/sink.h"
#include "trace/fused.h"
#include "trace/trace.h"

namespace skipper::gpu {

bool is_fused_first(kernel::SweepSpec const& spec) { return spec.flow.fused && spec.flow.overlaps; }
bool is_fused_last(kernel::SweepSpec const& spec) { return spec.flow.fused && !spec.flow.overlaps; }

kernel::FusedPasses fused_passes(Prepared const& prepared, std::size_t i) {
  OwnSweep const own = own_sweep(prepared, i);
  return fused_passes_of(l2_blocks_from(*own.program, own.number), prepared.sweeps.at(i).tiles,
                         prepared.sweeps.at(i + 1).tiles, element_bytes(prepared.program.problem));
}

ir::Kernel recorded(Prepared const& prepared, std::size_t i, FusedLaunch launch) {
  kernel::SweepSpec const& spec = prepared.sweeps.at(i).spec;
  ir::Type const real = prepared.program.problem.precision == Precision::f64 ? ir::Type::f64 : ir::Type::f32;
  if (is_fused_last(spec)) throw std::invalid_argument("the kernels of two fused sweeps are the first one's");
  if (!is_fused_first(spec)) return ir::sunk(ir::contracted(trace::trace(spec, real)));
  kernel::FusedPasses passes = fused_passes(prepared, i);
  passes.second_launch = launch == FusedLaunch::deferred;
  return ir::sunk(ir::contracted(trace::trace_fused(spec, prepared.sweeps.at(i + 1).spec, passes, real)));
}

}  // namespace skipper::gpu
