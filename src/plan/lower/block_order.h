// The order in which the blocks of a sweep go over the data (rasterisation, or threadblock swizzle). Blocks with neighbouring
// numbers run at the same time, so the order decides which places of memory are busy together. A tile that reads or writes
// short segments wants the tiles beside it for neighbours, on either side: then what L2 hands to memory is whole rows of it,
// and few pages at a time.
#pragma once

#include <vector>

#include "base/index.h"
#include "kernel/spec.h"

namespace skipper {

/// A part of a digit of the grid: index / unit % extent.
struct GridPart {
  int digit = 0;
  Index unit = 1, extent = 1;
  bool operator==(GridPart const&) const = default;
};
using BlockOrder = std::vector<GridPart>;  // fastest first

/// Bytes of a run of memory that neighbouring blocks complete before the block order goes on elsewhere.
/// Fitted: bench/results/h200-choices.md.
inline constexpr Index whole_run = 4096;

/// The block order that makes runs where the sweep reads and where it writes, and then goes on along the side with the shorter
/// segments; the last `fixed` digits of the grid stay where they are.
BlockOrder block_order_of(kernel::SweepSpec const& spec, Index element_bytes, int fixed,
                          Index run = whole_run);

/// The same sweep, its blocks counted in another order. The block order has every index of every digit of the grid once.
kernel::SweepSpec reordered(kernel::SweepSpec const& spec, BlockOrder const& block_order);

}  // namespace skipper
