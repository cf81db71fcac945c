// What a driver reports of a device, as a value, and the machine that follows from it. A device is known by these facts
// and never by its name: cards of one name differ in memory, SMs and clocks.
#pragma once

#include <functional>
#include <string>

#include "base/machine.h"

namespace skipper::gpu {

struct DeviceFacts {
  std::string
      title;  // the vendor's name: told to users, and the machine's name where no known one has its facts
  int major = 0, minor = 0;  // compute capability
  Index sms = 0, threads_block = 0, threads_sm = 0, blocks_sm = 0, warp = 0;
  Index registers_sm = 0, shared_block = 0, shared_sm = 0, shared_reserved = 0;
  Index l2_bytes = 0, memory_bytes = 0;
  Index memory_clock = 0, memory_width = 0;  // kHz and bits; 0 where the driver does not say
  bool clusters = false;
};

DeviceFacts read_facts(int device);

/// Bytes/s of a large copy, read plus write, as memory's clock and width promise them; 0 where the driver does not say.
double promised_bandwidth(DeviceFacts const& facts);

/// The known machine (base/machine.h) whose chip and memory these are, so that what was measured there holds here; else one
/// with these facts under its own name. `measure` gives the bandwidth of a copy where the driver does not tell
/// clock and width, and 0 where it cannot.
Machine machine_from(DeviceFacts const& facts, std::function<double()> const& measure);

}  // namespace skipper::gpu
