// A draft: a spec still written in fine digits, and how it becomes a spec written in digits.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernel/queries.h"
#include "plan/lower/fine_digits.h"
#include "plan/lower/assignments.h"
#include "plan/lower/padding.h"

namespace skipper {

/// An affine map over fine digits, before fine digits are merged into digits.
struct FineAffineMap {
  std::vector<Index> tile, grid;
};

/// A spec still written in fine digits.
struct Draft {
  FineDigits fine_digits;
  std::vector<AssignedStep> steps;
  std::vector<int> grid;  // of tile.carried, fastest first
  FineAffineMap read, write;
  Index cropped = 0;
  struct Guard {
    FineAffineMap at;
    Index bound = 0;
    bool reads = true, writes = true;
    Index first = 0;
  };
  std::vector<Guard> guards;
  struct Exchange {
    bool needed = false, remote = false, fence = false, keep = false, paired = false;
    SharedLayout layout;
    Index base = 0;
  };
  std::vector<Exchange> exchanges;
  struct DirectDft {  // of a fine digit, on the way into a step
    int fine_digit = -1, table = 0;
    bool symmetric = false;
  };
  std::vector<DirectDft> direct_dfts;
  struct Twiddle {
    kernel::Twiddling kind = kernel::Twiddling::none;
    FineAffineMap k, low;
    Index rows = 0, order = 1;
    int shift = 0, table = 0, table_low = 0;
  };
  std::vector<Twiddle> twiddles;
  struct Pointwise {
    bool needed = false;
    FineAffineMap at;
    Index table = 0;
    bool given = false;
  };
  Pointwise load_factor, store_factor;
  std::vector<Pointwise> middles;
  std::vector<FineAffineMap>
      symbol;                 // of a fused inverse that divides: the index along each axis, fastest first
  int symbol_hermitian = -1;  // of a fused inverse that divides with partners: along which
  struct PrePostProcessing {  // a side whose affine maps are still written in fine digits
    kernel::PrePostProcessing side;
    FineAffineMap index;
  };
  PrePostProcessing pre, post;
  struct Rader {  // all but what is written in fine digits, and that
    kernel::Rader rader;
    FineAffineMap exponent, entry, line;
  };
  Rader rader;
  kernel::SharedRader shared_rader;
  kernel::HermitianSplit hermitian;  // without its affine maps
  std::vector<FineAffineMap> conjugate_index;
  std::optional<FineAssignment>
      lines;  // of a Hermitian split with extra elements to store: assigns these to threads
  FineAffineMap row,
      cross;  // of a Hermitian split with a second cosine axis: a row's number as it is read, and Hermitian
  FineAffineMap
      conjugate;  // of a Hermitian split with conjugate rows: 1 for the fine digit that tells a row from its conjugate
  FineAffineMap
      parity;  // of a Hermitian split by columns: 1 for the fine digit that is the highest of the Hermitian digit
  Index shared = 0;
};

/// The spec of a draft: fine digits that always travel together become one digit. What the machine decides (threads,
/// residency) and the ends of the program are left to the caller. Throws where a kernel has no room for it.
kernel::SweepSpec assemble(Draft const& draft, Tile const& tile);

}  // namespace skipper
