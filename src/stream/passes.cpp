// See passes.h. Between passes the data are complex, unless all is real, and lie in the output's array wherever that is
// complex; c2r out of place needs an array of its own, since the input is preserved and the output too small.
#include "stream/passes.h"

#include <algorithm>

#include "base/numbers.h"

namespace skipper::stream {
namespace {

/// A dimension of the whole problem: an axis or a batch, with its stored size and its stride in each array.
struct Side {
  Index in_size = 1, out_size = 1, mid_size = 1;  // mid: between passes, complex
  Index in = 0, out = 0, mid = 0;
};

struct Layout {
  std::vector<Side> axes, batch;
  Array mid = Array::out;
};

Layout layout_of(Problem const& p) {
  Layout layout;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    Index const in = in_size(p, i), out = out_size(p, i);
    layout.axes.push_back(
        {in, out, std::min(in, out), p.axes[i].in_stride, p.axes[i].out_stride, p.axes[i].out_stride});
  }
  for (Dim const& d : p.batch)
    layout.batch.push_back({d.size, d.size, d.size, d.in_stride, d.out_stride, d.out_stride});
  if (p.kind != Kind::c2r) return layout;
  if (p.placement == Placement::in_place) {  // the array is complex until the last pass
    for (auto* sides : {&layout.axes, &layout.batch})
      for (Side& s : *sides) s.mid = s.in;
    return layout;
  }
  layout.mid = Array::work;
  std::vector<Index> sizes;
  for (auto const* sides : {&layout.batch, &layout.axes})
    for (Side const& s : *sides) sizes.push_back(s.mid_size);
  std::vector<Index> const strides = dense_strides(sizes);
  std::size_t at = 0;
  for (auto* sides : {&layout.batch, &layout.axes})
    for (Side& s : *sides) s.mid = strides[at++];
  return layout;
}

bool holds(std::vector<std::size_t> const& group, std::size_t axis) {
  return std::find(group.begin(), group.end(), axis) != group.end();
}

/// The index order of axes within a pass is that of the problem, so that the halved one stays the last.
Pass pass_over(Problem const& p, Layout const& layout, std::vector<std::size_t> const& group, bool first,
               bool last) {
  Pass pass;
  pass.from = first ? Array::in : layout.mid;
  pass.to = last ? Array::out : layout.mid;
  Problem& w = pass.whole;
  w = p;
  w.axes.clear();
  w.batch.clear();
  auto const in = [&](Side const& s) { return first ? s.in : s.mid; };
  auto const out = [&](Side const& s) { return last ? s.out : s.mid; };
  auto const halved = halved_axis(p);
  bool const real = halved && holds(group, *halved);
  w.kind = real || p.kind == Kind::r2r ? p.kind : Kind::c2c;
  for (std::size_t i = 0; i < p.batch.size(); ++i)
    w.batch.push_back({p.batch[i].size, in(layout.batch[i]), out(layout.batch[i])});
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    Side const& s = layout.axes[i];
    if (holds(group, i))
      w.axes.push_back({p.axes[i].size, in(s), out(s), p.axes[i].kind});
    else
      w.batch.push_back({s.mid_size, in(s), out(s)});
  }
  w.scale = last ? p.scale : 1;
  bool const same = p.placement == Placement::in_place || pass.from == pass.to;
  w.placement = same ? Placement::in_place : Placement::out_of_place;
  return pass;
}

}  // namespace

std::vector<Pass> passes_over(Problem const& problem, std::vector<std::vector<std::size_t>> const& groups,
                              std::vector<bool> const& on_device) {
  Layout const layout = layout_of(problem);
  std::vector<Pass> passes;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    passes.push_back(pass_over(problem, layout, groups[i], i == 0, i + 1 == groups.size()));
    passes.back().on_device = on_device[i];
  }
  return passes;
}

std::vector<std::size_t> axes_by_distance(Problem const& problem) {
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) axes.push_back(i);
  auto const halved = halved_axis(problem);
  std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
    if (halved == a || halved == b) return halved == a && a != b;
    return problem.axes[a].out_stride < problem.axes[b].out_stride;
  });
  return axes;
}

std::optional<std::vector<Pass>> four_step(Problem const& problem) {
  Axis const axis = problem.axes[0];
  std::vector<Index> const all = divisors(axis.size);
  Index const n1 = all[(all.size() - 1) / 2];  // the last one up to the root
  if (n1 == 1) return std::nullopt;
  Index const n2 = axis.size / n1, rows = problem.kind == Kind::c2c ? n1 : n1 / 2 + 1;
  Pass first, second;
  first.from = Array::in;
  first.to = second.from = Array::work;
  second.to = Array::out;
  first.twiddled = axis.size;
  first.whole = second.whole = problem;
  first.whole.placement = second.whole.placement = Placement::out_of_place;
  first.whole.scale = 1;
  Index stride = rows * n2;
  for (std::size_t i = problem.batch.size(); i-- > 0;) {
    first.whole.batch[i].out_stride = second.whole.batch[i].in_stride = stride;
    stride *= problem.batch[i].size;
  }
  // [k1][j2] lies between the passes.
  if (problem.kind == Kind::c2r) {
    first.whole.kind = Kind::c2c;
    first.hermitian = axis.size;
    first.whole.axes = {{n2, n1 * axis.in_stride, 1}};
    first.whole.batch.push_back({rows, axis.in_stride, n2});
    second.whole.axes = {{n1, n2, n2 * axis.out_stride}};
    second.whole.batch.push_back({n2, 1, axis.out_stride});
  } else {
    first.whole.axes = {{n1, n2 * axis.in_stride, n2}};
    first.whole.batch.push_back({n2, axis.in_stride, 1});
    second.whole.kind = Kind::c2c;
    second.hermitian = problem.kind == Kind::r2c ? axis.size : 0;
    second.whole.axes = {{n2, 1, n1 * axis.out_stride}};
    second.whole.batch.push_back({rows, n2, axis.out_stride});
  }
  return std::vector{first, second};
}

Index work_bytes(std::vector<Pass> const& passes) {
  for (Pass const& pass : passes)
    if (pass.to == Array::work) return out_bytes(pass.whole);
  return 0;
}

}  // namespace skipper::stream
