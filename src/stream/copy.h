// Copies a box of elements between two layouts: the gather and scatter stages of the pipeline.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/index.h"

namespace skipper::stream {

/// Calls body(begin, end) for pieces of 0..count-1, on as many threads as the implementation chooses.
using Loop = std::function<void(Index count, std::function<void(Index, Index)> const& body)>;

/// Strides count elements, of either side.
struct BoxDim {
  Index size = 1, from = 0, to = 0;

  bool operator==(BoxDim const&) const = default;
};

/// The same box with fewer dimensions: those that continue one another on both sides are merged, the nearest neighbours
/// of the target are last.
std::vector<BoxDim> merged(std::vector<BoxDim> dims);

/// One copy of rows, each in one piece on both sides.
struct RowsOfBox {
  Index from = 0, to = 0;  // elements before the first row
  Index size = 0;          // of a row
  Index rows = 1, from_pitch = 0, to_pitch = 0;

  bool operator==(RowsOfBox const&) const = default;
};
/// The box as copies of rows; empty where neighbours of one side are not neighbours on the other.
std::vector<RowsOfBox> rows_of(std::vector<BoxDim> const& dims);

/// streaming: whole cache lines are written by streaming (non-temporal) stores, for targets that are not read soon.
enum class Stores { plain, streaming };

void copy_box(std::vector<BoxDim> const& dims, Index element_bytes, std::byte const* from, std::byte* to,
              Loop const& loop, Stores stores = Stores::plain);

}  // namespace skipper::stream
