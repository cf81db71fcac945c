// The outer transforms of a solve on a GPU: of all axes but the middle one, forward before it and inverse after it.
#pragma once

#include "gpu/engine.h"
#include "plan/planner.h"

namespace skipper::poisson {

/// The best of the planner's programs, each weighed also with half the tile of one sweep. Between the sweeps of an L2
/// block shorter segments cost little, and smaller thread blocks overlap better.
Candidate outer_program(Problem const& problem, Machine const& machine);

/// A plan by that program. A problem with a load callback, or one that fits L2, has no L2 blocks; the engine plans it
/// as any other.
gpu::Transform outer_transform(Problem const& problem, int device, gpu::Options const& options);

gpu::Options without_functions(gpu::Options options);

}  // namespace skipper::poisson
