// See slices.h.
#include "stream/slices.h"

#include <algorithm>
#include <numeric>

namespace skipper::stream {
namespace {

/// Dense strides in the order of the given ones.
std::vector<Index> packed(std::vector<Index> const& sizes, std::vector<Index> const& strides) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
  std::vector<Index> result(sizes.size());
  Index stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    result[order[i]] = stride;
    stride *= sizes[order[i]];
  }
  return result;
}

}  // namespace

Index slice_count(Problem const& whole, std::vector<Index> const& extents) {
  Index count = 1;
  for (std::size_t i = 0; i < extents.size(); ++i)
    count *= (whole.batch[i].size + extents[i] - 1) / extents[i];
  return count;
}

Box slice_box(Problem const& whole, std::vector<Index> const& extents, Index slice) {
  Box box{std::vector<Index>(extents.size()), std::vector<Index>(extents.size())};
  for (std::size_t i = extents.size(); i-- > 0;) {
    Index const pieces = (whole.batch[i].size + extents[i] - 1) / extents[i];
    box.first[i] = slice % pieces * extents[i];
    box.count[i] = std::min(extents[i], whole.batch[i].size - box.first[i]);
    slice /= pieces;
  }
  return box;
}

Problem slice_problem(Problem const& whole, std::vector<Index> const& counts) {
  std::vector<Index> in_sizes, out_sizes, in_strides, out_strides;
  for (std::size_t i = 0; i < whole.axes.size(); ++i) {
    in_sizes.push_back(in_size(whole, i));
    out_sizes.push_back(out_size(whole, i));
    in_strides.push_back(whole.axes[i].in_stride);
    out_strides.push_back(whole.axes[i].out_stride);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    in_sizes.push_back(counts[i]);
    out_sizes.push_back(counts[i]);
    in_strides.push_back(whole.batch[i].in_stride);
    out_strides.push_back(whole.batch[i].out_stride);
  }
  std::vector<Index> const in = packed(in_sizes, in_strides), out = packed(out_sizes, out_strides);
  Problem slice = whole;
  for (std::size_t i = 0; i < whole.axes.size(); ++i) {
    slice.axes[i].in_stride = in[i];
    slice.axes[i].out_stride = out[i];
  }
  slice.batch.clear();
  for (std::size_t i = 0; i < counts.size(); ++i)
    slice.batch.push_back({counts[i], in[whole.axes.size() + i], out[whole.axes.size() + i]});
  bool const alike = whole.kind == Kind::c2c && in == out && in_sizes == out_sizes &&
                     whole.order == Order::natural && !is_partial(whole);
  slice.placement = alike ? Placement::in_place : Placement::out_of_place;
  return slice;
}

Index in_offset(Problem const& whole, Box const& box) {
  Index offset = 0;
  for (std::size_t i = 0; i < box.first.size(); ++i) offset += box.first[i] * whole.batch[i].in_stride;
  return offset;
}

Index out_offset(Problem const& whole, Box const& box) {
  Index offset = 0;
  for (std::size_t i = 0; i < box.first.size(); ++i) offset += box.first[i] * whole.batch[i].out_stride;
  return offset;
}

std::vector<BoxDim> gather_dims(Problem const& whole, Problem const& slice) {
  std::vector<BoxDim> dims;
  for (std::size_t i = 0; i < whole.axes.size(); ++i)
    dims.push_back({in_size(whole, i), whole.axes[i].in_stride, slice.axes[i].in_stride});
  for (std::size_t i = 0; i < whole.batch.size(); ++i)
    dims.push_back({slice.batch[i].size, whole.batch[i].in_stride, slice.batch[i].in_stride});
  return dims;
}

std::vector<BoxDim> scatter_dims(Problem const& whole, Problem const& slice) {
  std::vector<BoxDim> dims;
  for (std::size_t i = 0; i < whole.axes.size(); ++i)
    dims.push_back({out_size(whole, i), slice.axes[i].out_stride, whole.axes[i].out_stride});
  for (std::size_t i = 0; i < whole.batch.size(); ++i)
    dims.push_back({slice.batch[i].size, slice.batch[i].out_stride, whole.batch[i].out_stride});
  return dims;
}

bool lies_in_rows(Pass const& pass, Problem const& slice, bool in) {
  constexpr Index least_row = 2048, max_copies = 1024;  // bytes; of a slice
  if (in ? pass.hermitian && pass.twiddled : pass.hermitian || pass.twiddled) return false;
  auto const rows = rows_of(in ? gather_dims(pass.whole, slice) : scatter_dims(pass.whole, slice));
  if (rows.empty() || Index(rows.size()) > max_copies) return false;
  Index const bytes = in ? in_element_bytes(pass.whole) : out_element_bytes(pass.whole);
  return rows.front().size * bytes >= least_row || rows.front().rows * Index(rows.size()) == 1;
}

bool copied_as_they_lie(Pass const& pass) {
  Problem const slice = slice_problem(pass.whole, pass.slicing.extents);
  return lies_in_rows(pass, slice, true) && lies_in_rows(pass, slice, false);
}

}  // namespace skipper::stream
