// Measures the bandwidths of a device's link and of its host's memory, by which the schedule chooses a strategy.
#pragma once

#include "stream/port.h"
#include "stream/schedule.h"

namespace skipper::stream {

/// Times copies of so many bytes: up, down, both at once, and between two arrays of the host by all threads. Takes the best of a few
/// rounds. The device needs two arrays of that size. Its own memory is not measured, since it never decides.
Bandwidths measured(Device& device, Host& host, Index bytes);

}  // namespace skipper::stream
