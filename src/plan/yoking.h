// Whether two sweeps that share chunks should share a kernel too (kernel/yoke.h), and in which tiles: alike, since all
// blocks of a kernel take what the larger ones need.
#pragma once

#include "base/machine.h"
#include "plan/program.h"

namespace skipper {

/// The program with tiles of sweeps s and the next of so many bytes, as near as what they carry can be halved or doubled, and
/// with what stands between gathered as the second then reads it.
Program with_even_tiles(Program program, int s, Index bytes);

}  // namespace skipper
