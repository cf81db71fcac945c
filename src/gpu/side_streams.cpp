// See side_streams.h.
#include "gpu/side_streams.h"

namespace skipper::gpu {
namespace {}  // namespace

SideStreams::~SideStreams() {
  Current const current(context_);
  for (Pair const& p : free_) {
    driver()->destroy_stream(p.stream);
    driver()->destroy_event(p.event);
  }
}

SideStreams::BorrowedStream::~BorrowedStream() {
  std::lock_guard const lock(owner_.mutex_);
  owner_.free_.push_back(pair_);
}

double SideStreams::BorrowedStream::number(DevicePointer from, bool wide, std::string const& what) const {
  double number = 0;
  float narrow = 0;
  demand(driver()->to_host_async(wide ? static_cast<void*>(&number) : &narrow, from,
                                 wide ? sizeof number : sizeof narrow, stream()),
         ("copying " + what + " to the host").c_str());
  demand(driver()->synchronise_stream(stream()), ("waiting for " + what).c_str());
  return wide ? number : double(narrow);
}

SideStreams::BorrowedStream SideStreams::after(Stream stream) {
  Pair pair;
  {
    std::lock_guard const lock(mutex_);
    if (!free_.empty()) {
      pair = free_.back();
      free_.pop_back();
    }
  }
  Driver const& d = *driver();
  if (!pair.stream) {
    demand(d.create_stream(&pair.stream, non_blocking), "making a stream");
    demand(d.create_event(&pair.event, without_timing), "making an event");
  }
  demand(d.record_event(pair.event, stream), "recording an event");
  demand(d.wait_for_event(pair.stream, pair.event, 0), "ordering two streams");
  return {*this, pair};
}

}  // namespace skipper::gpu
