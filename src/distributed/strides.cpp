#include "distributed/strides.h"

namespace skipper::distributed {

std::vector<Index> caller_strides(Program const& program, bool in_place, bool input, Box const& box) {
  if (!in_place || is_empty(box)) return dense_strides(box.size);
  Problem local = program.problem;
  for (std::size_t d = 0; d < local.batch.size(); ++d) local.batch[d].size = box.size[d];
  auto const halved = halved_axis(local);
  for (std::size_t a = 0; a < local.axes.size(); ++a)
    if (halved != a) local.axes[a].size = box.size[local.batch.size() + a];
  local = skipper::in_place(local);
  std::vector<Index> strides;
  for (Dim const& dim : local.batch) strides.push_back(input ? dim.in_stride : dim.out_stride);
  for (Axis const& axis : local.axes) strides.push_back(input ? axis.in_stride : axis.out_stride);
  return strides;
}

Index offset(Box const& inner, Box const& outer, std::vector<Index> const& strides) {
  Index at = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) at += (inner.first[d] - outer.first[d]) * strides[d];
  return at;
}

std::vector<bool> transformed(Program const& program, std::size_t stage) {
  std::vector<bool> whole(program.problem.batch.size() + program.problem.axes.size(), false);
  for (auto const* axes : {&program.stages[stage].axes, &program.stages[stage].back})
    for (std::size_t const a : *axes) whole[program.problem.batch.size() + a] = true;
  return whole;
}

Box box_after(Program const& program, std::size_t stage, Box part) {
  std::vector<bool> const whole = transformed(program, stage);
  std::vector<Index> const sizes = cut_after(program, stage).sizes();
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (whole[d] && part.size[d] > 0) part.size[d] = sizes[d];
  return part;
}

std::vector<stream::BoxDim> dims_of(Box const& part, Array const& from, Array const& to) {
  std::vector<stream::BoxDim> dims;
  for (std::size_t d = 0; d < part.size.size(); ++d)
    dims.push_back({part.size[d], from.strides[d], to.strides[d]});
  return dims;
}

std::vector<stream::RowsOfBox> byte_rows(Box const& part, Array const& from, Array const& to,
                                         Index element_bytes) {
  std::vector<stream::BoxDim> dims = dims_of(part, from, to);
  for (stream::BoxDim& d : dims) {
    d.from *= element_bytes;
    d.to *= element_bytes;
  }
  dims.push_back({element_bytes, 1, 1});  // so that there always are neighbours, if only those of an element
  std::vector<stream::RowsOfBox> rows = stream::rows_of(dims);
  for (stream::RowsOfBox& r : rows) {
    r.from += offset(part, from.box, from.strides) * element_bytes;
    r.to += offset(part, to.box, to.strides) * element_bytes;
  }
  return rows;
}

}  // namespace skipper::distributed
