#pragma once
// Small problems of every kind, also with strides, for what holds of all of them.
#include <skipper/problem.h>

#include <tuple>
#include <vector>

#include "cpu/engine.h"
#include "cpu/unset.h"

namespace skipper::cpu::testing {

inline std::vector<Problem> shapes(Precision precision) {
  std::vector<Problem> all;
  for (std::vector<Index> const& shape : {std::vector<Index>{1}, {16}, {17}, {30, 8}, {6, 5, 14}, {3, 128}})
    for (Index batch : {1, 5, 37}) {
      all.push_back(c2c(shape, batch, precision, batch == 5 ? Direction::inverse : Direction::forward));
      all.push_back(r2c(shape, batch, precision));
      all.push_back(c2r(shape, batch, precision));
      all.push_back(r2r(shape, std::vector<AxisKind>(shape.size(), AxisKind::dct2), batch, precision));
    }
  Problem mixed = r2c({9, 12, 7}, 3, precision);
  mixed.axes[2].kind = AxisKind::dst1;
  all.push_back(dense_layout(mixed));
  Problem columns;
  columns.precision = precision;
  columns.axes = {{20, 6, 1}};
  columns.batch = {{6, 1, 20}};
  all.push_back(columns);
  for (auto const& [kind, in, out] :
       {std::tuple(Kind::c2c, Index(50), Index(50)), {Kind::r2c, 50, 70}, {Kind::c2r, 50, 90}}) {
    Problem side_by_side;  // 3 x 12 points 50 and more apart, of lines that are neighbours, 4 times
    side_by_side.precision = precision;
    side_by_side.kind = kind;
    side_by_side.direction = kind == Kind::c2r ? Direction::inverse : Direction::forward;
    side_by_side.axes = {{3, 12 * in, 12 * out}, {12, in, out}};
    side_by_side.batch = {{4, 3 * 12 * in, 3 * 12 * out}, {45, 1, 1}};
    all.push_back(side_by_side);
  }
  return all;
}

/// What the engine makes of them.
template <class T>
std::vector<T> done(Problem const& p, std::vector<T> const& in, Options const& options = {}) {
  std::vector<T> out = unset<T>(out_bytes(p) / static_cast<Index>(sizeof(T)));
  execute_unset(Transform(p, host_machine(), options), in.data(), out.data());
  return out;
}

}  // namespace skipper::cpu::testing
