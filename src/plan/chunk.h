// The chunk tier: two sweeps that take a few transforms of a batch at a time, so that what the first leaves for the second
// stays in L2. Between them it stands in a scratch as large as a chunk, or in several, where chunks take turns in lanes.
// A chunk is a run of one batch dimension that neither sweep transforms or holds and that both count last: so the kernels
// are those of the whole batch, launched on fewer blocks from where the chunk begins.
#pragma once

#include <optional>
#include <string>

#include "plan/program.h"

namespace skipper {

struct Chunk {
  int dim = 0;                // the batch dimension that is cut
  Index size = 0;             // of it
  Index unit = 0;             // bytes that the first sweep leaves of one index of it
  Index read = 0, write = 0;  // bytes from one index to the next where the pair reads, and where it writes
};

/// How sweeps s and s+1 can go chunk by chunk; or nothing, and why they cannot.
std::optional<Chunk> chunk_of(Program const& program, int s, std::string* reason = nullptr);

/// Whether the pair may write the array that it reads: each index of the batch keeps to its own bytes.
bool chunks_stay(Program const& program, int s);

/// Bytes of all scratches of the program, each beginning at a multiple of 256.
Index scratch_bytes(Program const& program);

}  // namespace skipper
