#pragma once
// Runs machine code of sm_90 as a GPU would: one block of threads, or the blocks of one cluster.
#include "sass/decode.h"

namespace skipper::sass {

struct Launch {
  int threads = 32;  // of a block
  std::size_t shared_bytes = 0;
  int cluster_ranks = 1;
  unsigned grid_x = 1;        // blocks; the grid has one row
  std::string arguments;      // of the kernel, as bytes
  std::vector<Array> arrays;  // that it may touch
};

struct Outcome {
  std::vector<Store> stores;  // to arrays, in order
  long steps = 0;             // instructions, of each warp
};

/// Throws Fault where the code does what it must not: an access outside of all arrays, threads that wait for ever.
Outcome run(Code const& code, Launch const& launch, unsigned cluster = 0);

}  // namespace skipper::sass
