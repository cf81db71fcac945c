// See strides.h.
#include "distributed/strides.h"

#include "distributed/layout.h"

namespace skipper::distributed {

std::vector<Index> caller_strides(Program const& program, bool in_place, bool input, Box const& box) {
  bool const whole = is_of_axis(program, input ? 0 : program.stages.size() - 1);
  // The strides are those of a problem whose axes are in the order of the array.
  Problem local = whole ? whole_problem(program) : program.problem;
  std::vector<std::size_t> const order = array_order(whole ? std::nullopt : program.split, local, input);
  if (!in_place || is_empty(box)) return strides_in(order, box.size);
  std::size_t const first_axis = local.batch.size();
  for (std::size_t d = 0; d < first_axis; ++d) local.batch[d].size = box.size[d];
  auto const halved = halved_axis(local);
  for (std::size_t a = 0; a < local.axes.size(); ++a)
    if (halved != a) local.axes[a].size = box.size[order[first_axis + a]];
  local = skipper::in_place(local);
  std::vector<Index> strides(order.size());
  for (std::size_t d = 0; d < first_axis; ++d)
    strides[d] = input ? local.batch[d].in_stride : local.batch[d].out_stride;
  for (std::size_t a = 0; a < local.axes.size(); ++a)
    strides[order[first_axis + a]] = input ? local.axes[a].in_stride : local.axes[a].out_stride;
  return strides;
}

Index offset(Box const& inner, Box const& outer, std::vector<Index> const& strides) {
  Index at = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) at += (inner.first[d] - outer.first[d]) * strides[d];
  return at;
}

std::vector<bool> transformed(Program const& program, std::size_t stage) {
  bool const computes = program.stages[stage].computes(), last = stage + 1 == program.stages.size();
  std::vector<bool> whole(
      (computes || last ? program.stages[stage].cut : sent_cut(program, stage)).sizes().size(), false);
  for (auto const* axes : {&program.stages[stage].axes, &program.stages[stage].back})
    for (std::size_t const a : *axes) whole[program.problem.batch.size() + a] = true;
  return whole;
}

Box box_after(Program const& program, std::size_t stage, Box part) {
  if (!program.stages[stage].computes()) return part;
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
