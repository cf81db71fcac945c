#pragma once
// Random problems of every kind: Fourier axes and all real kinds in any order in one problem.
#include <skipper/problem.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/kinds.h"

namespace skipper::testing {

inline AxisKind real_kind(std::mt19937_64& random) {
  return real_axis_kinds[random() % real_axis_kinds.size()];
}

/// Of 1 to 4 axes, none longer than what `most` has for so many of them, and about `room` points; a quarter is in place.
inline Problem random_mixed(std::mt19937_64& random, std::int64_t room,
                            std::array<std::uint64_t, 4> const& most) {
  Problem p;
  p.kind = Kind(random() % 4);
  p.precision = random() % 3 ? Precision::f32 : Precision::f64;
  if (p.kind == Kind::c2r || (p.kind == Kind::c2c && random() % 2)) p.direction = Direction::inverse;
  std::size_t const rank = 1 + random() % 4;
  while (p.axes.size() < rank) {
    std::int64_t const n = 2 + std::int64_t(random() % most[rank - 1]);
    bool const fourier = p.kind != Kind::r2r && random() % 2;
    p.axes.push_back({std::min(n, std::max<std::int64_t>(2, room)), 0, 0,
                      fourier ? AxisKind::fourier : real_kind(random)});
    room /= p.axes.back().size;
  }
  if ((p.kind == Kind::r2c || p.kind == Kind::c2r) && !halved_axis(p))
    p.axes[random() % rank].kind = AxisKind::fourier;
  if (random() % 2) p.batch.push_back({1 + std::int64_t(random() % 5)});
  if (random() % 3 == 0) p.scale = -0.75;
  if (random() % 3 == 0) p.norm = Norm::ortho;
  p = dense_layout(p);
  return random() % 4 ? p : in_place(p);
}

}  // namespace skipper::testing
