// cuFFT as a peer, where it is installed: opened at run time and never linked.
#pragma once

#include <skipper/problem.h>

#include <optional>
#include <string>

#include "peers.h"

namespace skipper::cli {

// Its version; empty where it cannot be opened.
std::string cufft_version();

// The problem on arrays of the current device and on a stream of it; nothing where cuFFT cannot do it (more than three
// axes, strides, a scale). It makes its own workspace. c2r may overwrite its input.
std::optional<PeerPlan> plan_cufft(Problem const& problem, void* in, void* out, void* stream);

}  // namespace skipper::cli
