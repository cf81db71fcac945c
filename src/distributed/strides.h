// The strides of the arrays that ranks hold, and the offsets of parts of boxes in them.
#pragma once

#include <vector>

#include "distributed/program.h"
#include "stream/copy.h"

namespace skipper::distributed {

/// The strides of a caller's array that holds a rank's box of the input or the output: dense, or padded as in place.
std::vector<Index> caller_strides(Program const& program, bool in_place, bool input, Box const& box);

/// Elements from the beginning of an array that holds `outer` to the first one of `inner`.
Index offset(Box const& inner, Box const& outer, std::vector<Index> const& strides);

/// The dimensions that a stage transforms; of one that holds data, none of those that it sends.
std::vector<bool> transformed(Program const& program, std::size_t stage);

/// A part of a stage's input that has these dimensions whole, as it is when they are transformed.
Box box_after(Program const& program, std::size_t stage, Box part);

/// An array that holds a box.
struct Array {
  Box box;
  std::vector<Index> strides;
};

/// The offsets and strides of `part` in two arrays.
std::vector<stream::BoxDim> dims_of(Box const& part, Array const& from, Array const& to);

/// Copies of rows that take `part` from one array to the other; all numbers count bytes.
std::vector<stream::RowsOfBox> byte_rows(Box const& part, Array const& from, Array const& to,
                                         Index element_bytes);

}  // namespace skipper::distributed
