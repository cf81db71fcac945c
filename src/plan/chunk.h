// The chunk tier: two sweeps that take a part of the data at a time, so that what the first leaves for the second stays in
// L2. Between them it stands in a scratch as large as a chunk, or in several, where chunks take turns in lanes.
// A chunk is a run of one digit, and one index of all slower ones, that neither sweep transforms, holds or twiddles by and
// that both count last: transforms of a batch, planes of a cube. So the kernels are those of the whole, launched on fewer
// blocks from where the chunk begins. A sweep that writes where it reads may come between the two, in the scratch: of an axis
// that is convolved over three sweeps, the middle one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/program.h"

namespace skipper {

/// A digit that chunks go along, and the bytes from one index to the next where the pair reads and where it writes.
struct ChunkDigit {
  Index size = 1, read = 0, write = 0;
  bool operator==(ChunkDigit const&) const = default;
};

struct Chunk {
  ChunkDigit along;                // a chunk is a run of it
  std::vector<ChunkDigit> around;  // of each of these, slowest first, a chunk has one index
  Index unit = 0;                  // bytes that the first sweep leaves of one index
  bool slowest = true;             // all these are the slowest digits that its sweeps read
  Index together = 1;              // indices that tiles between the first sweep and the last hold at once
  Index all() const;               // indices, of all of them together
};

/// The first of the sweeps that share chunks with sweep s, and how many there are from sweep s on: all but the last
/// leave some.
int first_sharing(Program const& program, int s);
int sharing(Program const& program, int s);

/// How so many sweeps from s on can go by chunks of at most so many bytes; or nothing, and why they cannot.
std::optional<Chunk> chunk_of(Program const& program, int s, Index bytes, std::string* reason = nullptr,
                              int sweeps = 2);

/// Whether these, in chunks of at most so many bytes, may write the array that they read.
bool chunks_stay(Program const& program, int s, Index bytes, int sweeps = 2);

/// Bytes of all scratches of the program, each beginning at a multiple of 256.
Index scratch_bytes(Program const& program);

}  // namespace skipper
