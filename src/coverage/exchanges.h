// Transforms over ranks drawn at random: problems of every sort, cut in boxes of all shapes, and long axes that are split.
#pragma once

#include <skipper/distributed.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/property.h"

namespace skipper::coverage {

struct ExchangeProblem {
  Problem problem;  // whole and dense; r2c and c2r out of place
  int ranks = 1;
  std::vector<int> in = {}, out = {};  // parts of each dimension; empty: as the plan has it
  bool any_output = false;
  AxisOrder in_order = AxisOrder::natural, out_order = AxisOrder::natural;
  ExchangeMethod method = ExchangeMethod::automatic;  // where the ranks can do it
  int pieces = 0;
  bool free_links = false;  // the plan takes exchanges for free, so that it splits what it can
};

/// The transform of this number: a pure function, as drawn().
ExchangeProblem drawn_exchange(std::uint64_t seed, std::uint64_t number, Sizes const& sizes);

/// "exchange 4 ranks in 2x2x1 direct c2c f32 forward 64x64x64"
std::string text(ExchangeProblem const& exchange);

std::vector<Property<ExchangeProblem>> const& exchange_properties();

}  // namespace skipper::coverage
