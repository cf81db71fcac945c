// Divides the axes of a problem among passes, before passes are cut into slices.
#pragma once

#include <optional>
#include <vector>

#include "stream/schedule.h"

namespace skipper::stream {

/// Makes the list of passes over these groups of axes (indices of the problem's axes), in this order. The halved axis of a
/// real problem is in the first group of r2c and in the last of c2r; on_device has an entry for each group.
std::vector<Pass> passes_over(Problem const& problem, std::vector<std::vector<std::size_t>> const& groups,
                              std::vector<bool> const& on_device);

/// The axes in the order in which groups take them: the halved axis first, then by rising stride.
std::vector<std::size_t> axes_by_distance(Problem const& problem);

/// Makes two passes of one long axis, over n1 and n2, n = n1 n2 of similar size; nothing where n is prime. Of a real line only
/// the rows k1 <= n1/2 are computed.
std::optional<std::vector<Pass>> four_step(Problem const& problem);

/// Bytes of the array between passes that is neither the input nor the output.
Index work_bytes(std::vector<Pass> const& passes);

}  // namespace skipper::stream
