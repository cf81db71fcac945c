// The middle of a solve over ranks on a GPU as one fused inverse (plan/fused_inverse.h): where a part is complex and has one axis
// left, which is periodic or cell-centred with two Neumann or two Dirichlet ends, its transform there, the division
// and the transform back share a sweep where they fit on chip.
#pragma once

#include "poisson/part_on_gpu.h"

namespace skipper::poisson {

/// Null where there is no such fused inverse.
std::unique_ptr<distributed::GpuTransform> fused_part_on_gpu(PartsOnGpu const& all, Box const& part,
                                                             std::vector<Index> const& in_strides,
                                                             std::vector<Index> const& out_strides,
                                                             Index peer_unit);

}  // namespace skipper::poisson
