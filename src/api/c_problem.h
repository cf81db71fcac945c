// What functions of the C interface that make plans share: problems by their fields.
#pragma once

#include <vector>

#include "api/guarded.h"

namespace skipper::c {

inline Direction direction_of(int value) {
  if (value == SKIPPER_FORWARD) return Direction::forward;
  if (value == SKIPPER_INVERSE) return Direction::inverse;
  refuse("direction", value, "SKIPPER_FORWARD or SKIPPER_INVERSE");
}

inline Problem dense_problem(int kind, int precision, int direction, int rank, long long const* shape,
                             long long batch) {
  if (rank < 1 || rank > int(max_rank))
    throw Error("rank", "is " + std::to_string(rank) + " but must be 1 to 64");
  demanded(shape, "shape");
  std::vector<std::int64_t> const sizes(shape, shape + rank);
  Precision const p = precision_of(precision);
  Direction const d = direction_of(direction);
  if (kind == SKIPPER_C2C) return c2c(sizes, batch, p, d);
  if (kind == SKIPPER_R2C && d == Direction::forward) return r2c(sizes, batch, p);
  if (kind == SKIPPER_C2R && d == Direction::inverse) return c2r(sizes, batch, p);
  if (kind == SKIPPER_R2C) refuse("direction", direction, "SKIPPER_FORWARD with SKIPPER_R2C");
  if (kind == SKIPPER_C2R) refuse("direction", direction, "SKIPPER_INVERSE with SKIPPER_C2R");
  refuse("kind", kind, "SKIPPER_C2C, SKIPPER_R2C or SKIPPER_C2R");
}

}  // namespace skipper::c
