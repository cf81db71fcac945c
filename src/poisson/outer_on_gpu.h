// Transforms of the axes that are not divided or eliminated along: what stands around the middle of a solve on a GPU.
#pragma once

#include "gpu/engine.h"
#include "plan/planner.h"

namespace skipper::poisson {

/// The planner's choices, also with half the tile of a sweep: what stands between the sweeps of a chunk is in L2, where
/// shorter segments cost little, and smaller blocks overlap better (f64 r2c of 512 x 512: H200, 2026-11-16).
Candidate outer_program(Problem const& problem, Machine const& machine);

/// By that program. With a user's function, and where all fits L2, there are no chunks, so the engine plans by itself.
gpu::Transform outer_transform(Problem const& problem, int device, gpu::Options const& options);

gpu::Options without_functions(gpu::Options options);

}  // namespace skipper::poisson
