// What the link of a device and the memory of its host carry, measured: what the choice between strategies hangs on.
#pragma once

#include "stream/port.h"
#include "stream/schedule.h"

namespace skipper::stream {

/// Copies of so many bytes each way, alone and at once, and between two arrays of the host by all its threads: the best
/// of a few rounds. The device has two arrays of that size meanwhile. Its own memory is not measured: it never decides.
Bandwidths measured(Device& device, Host& host, Index bytes);

}  // namespace skipper::stream
