// Poisson and Helmholtz problems drawn at random: every pair of ends, centring, symbol and elimination, with values on boundaries, in
// memory, through slices and over ranks.
#pragma once

#include <skipper/poisson.h>
#include <skipper/stream.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/property.h"

namespace skipper::coverage {

enum class PoissonWay { in_memory, stream, ranks };
enum class FaceValues { none, numbers, points };  // one for a side, or one for each point of it

struct DrawnPoisson {
  PoissonProblem problem;  // its shift is not positive, so that it has a solution
  FaceValues values = FaceValues::none;
  bool in_place = false;
  PoissonWay way = PoissonWay::in_memory;
  Index memory_limit = 0;  // of a stream: where no slice fits in it, twice of it, and so on
  StreamStrategy strategy = StreamStrategy::device_only;
  int ranks = 1;
};

/// The problem of this number: a pure function, as drawn().
DrawnPoisson drawn_poisson(std::uint64_t seed, std::uint64_t number, Sizes const& sizes);

/// "poisson f32 64 periodic cell, 12 neumann-dirichlet node tridiagonal, shift -2.5"
std::string text(DrawnPoisson const& poisson);

std::vector<Property<DrawnPoisson>> const& poisson_properties();

}  // namespace skipper::coverage
