// The memory that a rank needs, before anything is allocated: its arrays, two windows of the largest stage (run.h), and the
// messages to and from ranks whose memory it does not reach, those of other nodes.
#pragma once

#include "distributed/links.h"
#include "distributed/program.h"

namespace skipper::distributed {

struct RankMemory {
  Index array_bytes = 0;    // input and output, which are one array in place
  Index window_bytes = 0;   // both
  Index message_bytes = 0;  // of all exchanges, out and in

  Index all() const { return array_bytes + window_bytes + message_bytes; }
  bool operator==(RankMemory const&) const = default;
};

/// The memory of a rank; `in_place`: the caller's two arrays are one.
RankMemory rank_memory(Program const& program, Index rank, Links const& links, bool in_place);

/// The memory of the rank that needs most. Considers windows and arrays of all ranks, and messages of a sample of ranks.
RankMemory largest_memory(Program const& program, Links const& links, bool in_place);

/// Elements of a rank's array from its first to its last: a box of r2c or c2r in place has rows of reals that are padded to
/// those of complex numbers.
Index array_elements(Box const& box, Problem const& problem, bool input, bool in_place);

}  // namespace skipper::distributed
