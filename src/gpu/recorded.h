// The kernels of a prepared program as data (src/ir): what printers print and the driver compiles.
#pragma once

#include "gpu/prepare.h"
#include "ir/kernel.h"
#include "kernel/fused_passes.h"

namespace skipper::gpu {

/// Whether a sweep is one of two fused ones, and which.
bool is_fused_first(kernel::SweepSpec const& spec);
bool is_fused_last(kernel::SweepSpec const& spec);

/// Two fused sweeps are launched twice (kernel/fused_passes.h), by the first of them: the second launch runs the items that the
/// first one has deferred.
enum class FusedLaunch { first, deferred };

/// How two fused sweeps, of which i is the first, share the blocks of their kernel; its arrays are not yet known.
kernel::FusedPasses fused_passes(Prepared const& prepared, std::size_t i);

/// The kernel of prepared.sweeps[i], traced, with sums of products rounded once. Throws std::invalid_argument for
/// the last of two fused sweeps.
ir::Kernel recorded(Prepared const& prepared, std::size_t i, FusedLaunch launch = FusedLaunch::first);

}  // namespace skipper::gpu
