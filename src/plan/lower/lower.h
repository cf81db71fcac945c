// Lowering: from a sweep of a program to the spec that a kernel runs. configuration.cpp tries radices and threads and keeps what
// is estimated to be fastest. The parts, a file each, in the order in which Lowering (lower.cpp) runs them:
//   fine_digits      factor each sub-transform into codelet radices, and cut the tile's digits into the smallest pieces that
//                    ever travel apart
//   assignments      choose for each step which fine digits count threads, registers and cluster ranks
//   affine_maps      write an index as an affine map over fine digits: addresses first
//   real_processing  pre- and post-processing of real axes
//   cosines          the same of an axis that a fused inverse divides along
//   convolutions     Rader's order, and later what Bluestein and Rader multiply by
//   shared_rader     lines by Rader that stay in their places in shared memory
//   exchanges        choose how each step gets the tile from the step before
//   padding          choose where an exchange puts the fine digits in shared memory, by exact conflict counts
//   twiddles         choose the tables of twiddles; root_tables.cpp fills all tables
//   pointwise        what a fused inverse multiplies or divides by in its middle
//   draft            write it all in digits again: fine digits that always travel together become one
//   coalesce         store an output that is one run of memory from shared memory
//   prefetch         choose the later tile that a block prefetches
//   latency_bound    spend free registers and shared memory where all blocks run at once
//   block_order      choose the order in which blocks go over the data
//   fused_passes     lower two sweeps for one kernel
// What ranks them: occupancy says how many blocks an SM should hold, which bounds the registers, and how fast these are together;
// cosine_lines, line_convolutions and long_prime correct it.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "kernel/spec.h"
#include "plan/program.h"

namespace skipper {

/// One digit of a position in a table that is stored in the order in which threads read it: `extent` values, each `step`
/// entries on.
struct TableDigit {
  Index extent = 1, step = 0;
  bool operator==(TableDigit const&) const = default;
};
/// How many places the digits have, the first one fastest, and which entry stands at one of them.
Index places(std::vector<TableDigit> const& digits);
Index entry_at(std::vector<TableDigit> const& digits, Index place);

/// What a table holds; base/convolution_tables.h has what convolutions multiply by.
enum class TableKind {
  roots,             // of unity
  chirp,             // of Bluestein, before and after the convolution
  spectrum,          // of Bluestein's chirp, in the middle
  rader,             // where points in Rader's order stand in shared memory, as numbers of 4 bytes
  real_rader,        // the same of real pairs, two places in one number
  routes,            // of a line across a cluster: which block and place each point goes to
  rader_spectrum,    // of Rader's convolution
  own_spectrum,      // of real Rader: what multiplies a pair
  partner_spectrum,  // and what multiplies its partner
  matrix             // cosines and sines in f64, in the order in which warps read them (kernel/matrix_dft.h)
};

/// Numbers a kernel reads. Of roots, entry (row, column) is w_order^(m column step + start), row by row, where m is row
/// + 1, or 2^row in a doubling table. Of chirps, one row, the products of those of the lengths `digits`, the first
/// counting fastest; of a spectrum, one row, the index written in `digits` from the lowest to the highest and the
/// highest counting fastest.
struct RootTable {
  Index order = 1, rows = 1, columns = 1, step = 1;
  bool doubling = false;
  TableKind kind = TableKind::roots;
  std::vector<Index> digits = {};  // of Rader: radices, in the order of the radix stages
  Index start = 0;
  // Where not empty, the entries stand in an order whose places these digits count, the first one fastest; beyond the last
  // entry there is nothing, so 0.
  std::vector<TableDigit> place_digits = {};
  std::vector<TableDigit> cluster_ranks[2] = {};  // of routes: how the cluster ranks count memory, and Rader's order
  bool operator==(RootTable const&) const = default;
};

/// How many numbers a table has.
Index entries(RootTable const& table);

struct Lowered {
  kernel::SweepSpec spec;
  Index tiles = 1;
  std::vector<RootTable> tables;         // one after the other in the sweep's roots
  std::vector<TableDigit> factors = {};  // of a fused inverse: the order in which its kernel reads them
};

/// Throws Error where the sweep cannot be lowered (too many digits, a cluster that does not divide the tile).
Lowered lower(Program const& program, int s, Machine const& machine);
/// The same with a given configuration (configuration.h).
Lowered lower(Program const& program, int s, Machine const& machine,
              struct Configuration const& configuration);

/// Its predicted slowdown in x copy (occupancy.h), found out without the costly part; nothing where it cannot be lowered, or only
/// with spills.
std::optional<double> lowered_slowdown(Program const& program, int s, Machine const& machine,
                                       double movement = 1);

/// The tables' values, each computed beyond double and rounded once.
std::vector<std::complex<float>> roots32(Lowered const& lowered);
std::vector<std::complex<double>> roots64(Lowered const& lowered);

}  // namespace skipper
