// Lowers two sweeps that share L2 blocks so that one kernel can run both (kernel/fused_passes.h): blocks of as many threads each,
// without clusters.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plan/lower/lower.h"

namespace skipper {

/// Bytes of tiles that an SM should hold at once, at the least. Fitted: bench/results/h200-choices.md.
inline constexpr Index least_in_flight = 96 * 1024;
/// The same in single precision, where more are better still. Fitted: bench/results/h200-choices.md.
inline constexpr Index good_in_flight = 112 * 1024;
/// Threads that an SM should hold at once. Fitted: bench/results/h200-choices.md.
inline constexpr Index good_threads = 512;

/// Sweep s and the next; nothing where no configurations of theirs go together.
std::optional<std::pair<Lowered, Lowered>> lower_fused(Program const& program, int s, Machine const& machine);

/// All sweeps of a program, those that are fused together. Throws Error where they cannot be.
std::vector<Lowered> lower_all(Program const& program, Machine const& machine);

}  // namespace skipper
