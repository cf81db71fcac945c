// Convolutions drawn at random: every mode, precision and rank, short and long kernels, one for all or one for each array.
#pragma once

#include <skipper/convolution.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/property.h"

namespace skipper::coverage {

/// The convolution of this number: a pure function, as drawn().
ConvolutionProblem drawn_convolution(std::uint64_t seed, std::uint64_t number, Sizes const& sizes);

/// "convolution f32 full 480x640 by 9x9 batch 3"
std::string text(ConvolutionProblem const& problem);

std::vector<Property<ConvolutionProblem>> const& convolution_properties();

}  // namespace skipper::coverage
