// Runs a schedule on a device as a pipeline: gather, copy up, sweeps, copy down and scatter of different slices overlap. A pipeline
// stage that is ahead waits for a free buffer, so that memory stays as scheduled.
#pragma once

#include <skipper/stream.h>

#include "stream/port.h"
#include "stream/schedule.h"

namespace skipper::stream {

/// `reserve` is of the same device; what it has taken stays for the next execution. `work` has the schedule's
/// work_bytes. progress, if any, is called on this thread after every slice; false cancels. Whatever is thrown, by a
/// port or by progress, arrives here when all stages have stopped.
void execute(Schedule const& schedule, Device& device, Reserve& reserve, Host& host, void const* in,
             void* out, void* work, std::function<bool(StreamProgress const&)> const& progress = {});

}  // namespace skipper::stream
