// See stream_pool.h.
#include "gpu/stream_pool.h"

namespace skipper::gpu {
namespace {

/// The number of the capture that has the stream; 0 where none has.
unsigned long long capture_of(Stream stream) {
  int status = 0;
  unsigned long long number = 0;
  demand(driver()->capture_info(stream, &status, &number), "checking whether the stream is captured");
  return status ? number : 0;
}

}  // namespace

StreamPool::StreamPool(int ready) {
  for (int i = 0; i < ready; ++i) idle_.push_back(made());
}

StreamPool::~StreamPool() {
  Driver const& d = *driver();
  for (PooledStream const& pooled : idle_) {
    d.destroy_event(pooled.begun);
    d.destroy_event(pooled.done);
    d.destroy_stream(pooled.stream);
  }
}

StreamPool::PooledStream StreamPool::take(unsigned long long capture) {
  std::lock_guard const lock(mutex_);
  for (auto pooled = idle_.begin(); pooled != idle_.end(); ++pooled)
    if (auto const has = capture_of(pooled->stream); has == 0 || has == capture) {
      PooledStream const taken = *pooled;
      idle_.erase(pooled);
      return taken;
    }
  idle_.reserve(idle_.size() + 64);  // giving back must not fail
  return made();
}

StreamPool::PooledStream StreamPool::made() {
  Driver const& d = *driver();
  PooledStream pooled;
  demand(d.create_stream(&pooled.stream, non_blocking), "making a stream");
  demand(d.create_event(&pooled.begun, without_timing), "making an event");
  demand(d.create_event(&pooled.done, without_timing), "making an event");
  return pooled;
}

void StreamPool::put(PooledStream pooled) {
  std::lock_guard const lock(mutex_);
  idle_.push_back(pooled);
}

Fork::Fork(StreamPool& pool, int count, Stream stream) : pool_(pool), stream_(stream) {
  if (count < 2) return;
  Driver const& d = *driver();
  auto const capture = capture_of(stream);
  open_ = true;
  for (int i = 1; i < count; ++i) {
    taken_.push_back(pool_.take(capture));
    demand(d.record_event(taken_.back().begun, stream), "forking a stream");
    demand(d.wait_for_event(taken_.back().stream, taken_.back().begun, 0), "forking a stream");
  }
}

Status Fork::joined() {
  Driver const& d = *driver();
  Status status = 0;
  for (StreamPool::PooledStream const& pooled : taken_) {
    Status const recorded = d.record_event(pooled.done, pooled.stream);
    Status const joined = d.wait_for_event(stream_, pooled.done, 0);
    if (!status) status = recorded ? recorded : joined;
  }
  open_ = false;
  return status;
}

void Fork::join() { demand(joined(), "joining a stream"); }

Fork::~Fork() {
  if (open_) joined();
  for (StreamPool::PooledStream const& pooled : taken_) pool_.put(pooled);
}

}  // namespace skipper::gpu
