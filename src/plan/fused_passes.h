// Whether two sweeps that share L2 blocks should share a kernel too (kernel/fused_passes.h), and in which tiles: of equal size,
// since all blocks of a kernel take the registers and shared memory that the larger ones need.
#pragma once

#include <optional>

#include "base/machine.h"
#include "plan/program.h"

namespace skipper {

/// The program with tiles of sweeps s and the next of so many bytes, as near as what they carry can be halved or doubled, and
/// with what stands between gathered as the second then reads it; as it was where no layout has such tiles.
Program with_even_tiles(Program const& program, int s, Index bytes);

/// The program with its two sweeps fused, and in tiles for it; nothing where that does not gain.
std::optional<Program> fused(Program const& program, Machine const& machine);

/// Whether kernels can run it so, with enough of their tiles on an SM at once.
bool runs_fused(Program const& program, Machine const& machine);

}  // namespace skipper
