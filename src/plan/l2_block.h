// L2 blocks: two sweeps that take a part of the data at a time, so that what the first leaves for the second stays in
// L2. Between them it stands in an L2 buffer as large as an L2 block, or in several, where L2 blocks alternate between streams.
// An L2 block is a run of one digit, and one index of all slower ones, that neither sweep transforms, holds or twiddles by and
// that both count last: transforms of a batch, planes of a cube. So the kernels are those of the whole, launched on fewer
// blocks from where the L2 block begins. A sweep that writes where it reads may come between the two, in the L2 buffer: of an
// axis that is convolved over three sweeps, the middle one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/program.h"

namespace skipper {

/// A digit that L2 blocks go along, and the bytes from one index to the next where the pair reads and where it writes.
struct L2BlockDigit {
  Index size = 1, read = 0, write = 0;
  bool operator==(L2BlockDigit const&) const = default;
};

struct L2Block {
  L2BlockDigit along;                // an L2 block is a run of it
  std::vector<L2BlockDigit> around;  // of each of these, slowest first, an L2 block has one index
  Index unit = 0;                    // bytes that the first sweep leaves of one index
  bool slowest = true;               // all these are the slowest digits that its sweeps read
  Index together = 1;                // indices that tiles between the first sweep and the last hold at once
  Index all() const;                 // indices, of all of them together
};

/// The first of the sweeps that go by the same L2 blocks as sweep s, and how many of them there are from sweep s on. All but
/// the last have an L2 block set.
int first_of_l2_block(Program const& program, int s);
int sweeps_of_l2_block(Program const& program, int s);

/// How so many sweeps from s on can go by L2 blocks of at most so many bytes; or nothing, and why they cannot.
std::optional<L2Block> l2_block_of(Program const& program, int s, Index bytes, std::string* reason = nullptr,
                                   int sweeps = 2);

/// Whether these, in L2 blocks of at most so many bytes, may write the array that they read.
bool l2_blocks_stay(Program const& program, int s, Index bytes, int sweeps = 2);

/// Bytes of all L2 buffers of the program, each beginning at a multiple of 256.
Index l2_buffer_bytes(Program const& program);

}  // namespace skipper
