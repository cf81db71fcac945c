#include "gpu/lanes.h"

namespace skipper::gpu {
namespace {

constexpr unsigned without_timing = 2;  // of CUevent_flags

/// The number of the capture that has the stream; 0 where none has.
unsigned long long capture_of(Stream stream) {
  int status = 0;
  unsigned long long number = 0;
  demand(driver()->capture_info(stream, &status, &number), "asking whether the stream is captured");
  return status ? number : 0;
}

}  // namespace

Lanes::Lanes(int ready) {
  for (int i = 0; i < ready; ++i) idle_.push_back(made());
}

Lanes::~Lanes() {
  Driver const& d = *driver();
  for (Lane const& lane : idle_) {
    d.destroy_event(lane.begun);
    d.destroy_event(lane.done);
    d.destroy_stream(lane.stream);
  }
}

Lanes::Lane Lanes::take(unsigned long long capture) {
  std::lock_guard const lock(mutex_);
  for (auto lane = idle_.begin(); lane != idle_.end(); ++lane)
    if (auto const has = capture_of(lane->stream); has == 0 || has == capture) {
      Lane const taken = *lane;
      idle_.erase(lane);
      return taken;
    }
  idle_.reserve(idle_.size() + 64);  // giving back must not fail
  return made();
}

Lanes::Lane Lanes::made() {
  Driver const& d = *driver();
  Lane lane;
  demand(d.create_stream(&lane.stream, non_blocking), "making a stream");
  demand(d.create_event(&lane.begun, without_timing), "making an event");
  demand(d.create_event(&lane.done, without_timing), "making an event");
  return lane;
}

void Lanes::put(Lane lane) {
  std::lock_guard const lock(mutex_);
  idle_.push_back(lane);
}

Fork::Fork(Lanes& lanes, int count, Stream stream) : lanes_(lanes), stream_(stream) {
  if (count < 2) return;
  Driver const& d = *driver();
  auto const capture = capture_of(stream);
  open_ = true;
  for (int i = 1; i < count; ++i) {
    taken_.push_back(lanes_.take(capture));
    demand(d.record_event(taken_.back().begun, stream), "forking a stream");
    demand(d.wait_for_event(taken_.back().stream, taken_.back().begun, 0), "forking a stream");
  }
}

Status Fork::joined() {
  Driver const& d = *driver();
  Status status = 0;
  for (Lanes::Lane const& lane : taken_) {
    Status const recorded = d.record_event(lane.done, lane.stream);
    Status const awaited = d.wait_for_event(stream_, lane.done, 0);
    if (!status) status = recorded ? recorded : awaited;
  }
  open_ = false;
  return status;
}

void Fork::join() { demand(joined(), "joining a stream"); }

Fork::~Fork() {
  if (open_) joined();
  for (Lanes::Lane const& lane : taken_) lanes_.put(lane);
}

}  // namespace skipper::gpu
