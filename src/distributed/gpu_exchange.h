// What one rank on a GPU does in a stage and in the exchange behind it: which pieces it transforms, where their output goes, and
// which parts of it are copied to whom. Pure: addresses come later.
#pragma once

#include <skipper/distributed.h>

#include <optional>
#include <vector>

#include "distributed/layout.h"
#include "distributed/program.h"
#include "distributed/strides.h"

namespace skipper::distributed {

/// A part of a rank's output that goes to one peer. Rows count bytes.
struct GpuPart {
  Index peer = 0;
  Box box;
  std::vector<stream::RowsOfBox> direct;    // from the sender's array to the receiver's
  std::vector<stream::RowsOfBox> packed;    // from the sender's array to a dense one
  std::vector<stream::RowsOfBox> unpacked;  // from there to the receiver's
  Index packed_at = 0;                      // where that begins in the sender's memory for packed parts
};

/// Boxes that two ranks swap; `from` is the first one's stride, `to` the second one's.
struct GpuSwap {
  Index peer = 0;
  std::vector<stream::BoxDim> dims;
  Index mine = 0, theirs = 0;  // elements before the box in either array
};

struct GpuPiece {
  Index number = 0;
  Box box;                     // of the stage's input
  Index in = 0, out = 0;       // elements before it in the input, and in the rank's own output array
  std::vector<GpuPart> parts;  // for copies
};

/// A stage and the exchange behind it, as all ranks know them. The last stage has no exchange.
struct GpuStage {
  Distribution before, after;  // as it receives data, and as it leaves them
  bool has_transforms = false;
  std::vector<std::size_t> order;  // of the dimensions of its input

  // Of the exchange:
  ExchangeLayout layout;    // of the receivers' arrays
  bool has_routes = false;  // transforms may store into them by base addresses
  bool to_output = false;   // the receivers' arrays are the callers' outputs
  Index element_bytes = 1;
};

/// The arrays of callers.
struct GpuArrays {
  bool in_place = false;
  std::vector<std::size_t> order = {};  // of their dimensions, slowest first; empty: the usual one
};

struct GpuStages {
  Program program;
  GpuArrays arrays;
  std::vector<GpuStage> stages;
};

/// `all_here`: every rank's output can be stored into by every rank.
GpuStages gpu_stages(Program const& program, GpuArrays const& arrays, bool all_here);

/// Strides of the array that a rank's stage reads, of its own array that a stage writes and copies are made from, and of the one
/// that it receives into behind a stage.
std::vector<Index> input_strides(GpuStages const& stages, std::size_t s, Index rank);
std::vector<Index> output_strides(GpuStages const& stages, std::size_t s, Index rank);
std::vector<Index> receiver_strides(GpuStages const& stages, std::size_t s, Index rank);

/// Stage s cut into pieces, with the copies that each is followed by.
std::vector<GpuPiece> copied_pieces(GpuStages const& stages, std::size_t s, Index rank, Index pieces);

/// How the stage's last sweep stores by base addresses, into peers' arrays or, `to_swap`, into its own. Nothing where it cannot.
std::optional<Route> route_of(GpuStages const& stages, std::size_t s, Index rank, bool to_swap);

/// What a rank swaps behind stage s: of each pair of ranks one does.
std::vector<GpuSwap> swaps_of(GpuStages const& stages, std::size_t s, Index rank);

}  // namespace skipper::distributed
