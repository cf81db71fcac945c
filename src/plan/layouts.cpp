// See layouts.h.
#include "plan/layouts.h"

#include <algorithm>

#include "base/numbers.h"
#include "plan/tile.h"

namespace skipper {

std::vector<Piece> layout_in_place(Program const& program, int before) {
  std::vector<Piece> layout = digits_before(program, before);  // fastest first
  if (program.problem.kind == Kind::c2r)
    for (auto first = layout.begin(); first != layout.end();) {
      int const dim = first->digit.dim;
      auto const end = std::find_if(first, layout.end(), [&](Piece const& p) { return p.digit.dim != dim; });
      if (columns_of(program, dim)) std::reverse(first, end);
      first = end;
    }
  if (program.problem.order == Order::from_reversed)  // there the first digit is the fastest
    std::stable_sort(layout.begin(), layout.end(),
                     [](Piece const& a, Piece const& b) { return a.digit < b.digit; });
  std::reverse(layout.begin(), layout.end());
  return layout;
}

std::optional<std::vector<Piece>> layout_gathered(Program const& program, int s, Index segment) {
  auto const transformed = [&](DigitKey d) {
    auto const& t = program.sweeps[s].transforms;
    return std::find(t.begin(), t.end(), d) != t.end();
  };
  auto written = write_layout(program, s);
  std::sort(written.begin(), written.end(),
            [](Placed const& a, Placed const& b) { return a.stride < b.stride; });
  auto const before = layout_in_place(program, s);
  std::vector<Piece> together;  // fastest first
  Index run = 1;
  for (Placed const& p : written) {
    if (run >= segment || p.stride != run) break;
    if (transformed(p.piece.digit)) {
      run *= p.piece.extent;
      continue;
    }
    if (std::none_of(before.begin(), before.end(), [&](Piece const& b) { return b.digit == p.piece.digit; }))
      return std::nullopt;  // of a real axis that the sweep begins: before it there is the stored index
    Index extent = p.piece.extent;
    bool const whole =
        program.transformed_by.count(p.piece.digit);  // a convolution reads and writes it in one run
    for (Index d : whole ? std::vector<Index>{extent} : divisors(p.piece.extent))
      if (d * run >= segment) {
        extent = d;
        break;
      }
    bool const stored = p.piece.digit.part < 0;  // and so not to be cut
    auto const columns = columns_of(program, p.piece.digit.dim);
    bool const half =
        columns && columns->half == p.piece.digit;  // nor the fastest: its rows are not whole sectors
    if (p.piece.unit != 1 || (stored && extent < p.piece.extent) || half)
      return std::nullopt;  // a cut of a cut: leave it to the layout in place
    together.push_back({p.piece.digit, 1, extent});
    run *= extent;
    if (extent < p.piece.extent) break;
  }
  std::vector<Piece> rest, own;
  for (Piece const& p : before) {
    auto const cut =
        std::find_if(together.begin(), together.end(), [&](Piece const& t) { return t.digit == p.digit; });
    if (transformed(p.digit))
      own.push_back(p);
    else if (cut == together.end())
      rest.push_back(p);
    else if (cut->extent < p.extent)
      rest.push_back({p.digit, cut->extent, p.extent / cut->extent});
  }
  rest.insert(rest.end(), own.begin(), own.end());
  rest.insert(rest.end(), together.rbegin(), together.rend());
  return rest;
}

std::vector<Piece> layout_as_written(Program const& program, int s) {
  auto written = write_layout(program, s);
  std::stable_sort(written.begin(), written.end(),
                   [](Placed const& a, Placed const& b) { return a.stride > b.stride; });
  std::vector<Piece> layout;
  for (Placed const& p : written) layout.push_back(p.piece);
  return layout;
}

Index longest_segment(std::vector<Dimension> dims, Index Dimension::*stride) {
  std::sort(dims.begin(), dims.end(),
            [&](Dimension const& a, Dimension const& b) { return a.*stride < b.*stride; });
  Index run = 1;
  for (Dimension const& d : dims)
    if (d.size > 1 && d.*stride == run) run *= d.size;
  return run;
}

}  // namespace skipper
