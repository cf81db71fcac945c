// Streams drawn at random: problems of every sort in slices, with limits well below the arrays.
#pragma once

#include <skipper/stream.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/property.h"

namespace skipper::coverage {

struct StreamProblem {
  Problem problem;
  Index memory_limit = 0;  // where no slice fits in it, twice of it, and so on
  StreamStrategy strategy = StreamStrategy::device_only;
  bool pinned = false;
};

/// The stream of this number: a pure function, as drawn(). Strategies are named, since automatic ones follow from what the first
/// plan of a process measures.
StreamProblem drawn_stream(std::uint64_t seed, std::uint64_t number, Sizes const& sizes);

/// "stream 40000 device_only c2c f32 forward 64x64"
std::string text(StreamProblem const& stream);

std::vector<Property<StreamProblem>> const& stream_properties();

}  // namespace skipper::coverage
