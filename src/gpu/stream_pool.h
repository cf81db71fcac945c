// Streams beside the caller's, so that L2 blocks run side by side: a call borrows as many as it needs, forks them from its
// stream and joins them into it by events. What is borrowed goes back when all is enqueued: who takes it next only waits a
// little longer than need be. A stream that was forked under capture is part of that capture until it ends, and until then
// lent to nobody else.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "gpu/driver.h"

namespace skipper::gpu {

class StreamPool {
 public:
  /// With so many ready; the context must be current here and at the end.
  explicit StreamPool(int ready);
  ~StreamPool();
  StreamPool(StreamPool const&) = delete;
  StreamPool& operator=(StreamPool const&) = delete;

 private:
  friend class Fork;
  struct PooledStream {
    Stream stream = nullptr;
    Event begun = nullptr, done = nullptr;
  };
  /// One that no capture has, or only that of the given number; 0: none.
  PooledStream take(unsigned long long capture);
  static PooledStream made();
  void put(PooledStream pooled);
  std::mutex mutex_;
  std::vector<PooledStream> idle_;
};

/// One stream as `count` ones for the time of the scope: number 0 is itself.
class Fork {
 public:
  Fork(StreamPool& pool, int count, Stream stream);
  ~Fork();
  Fork(Fork const&) = delete;
  Fork& operator=(Fork const&) = delete;
  Stream operator[](std::size_t i) const { return i == 0 ? stream_ : taken_[i - 1].stream; }
  /// What is enqueued on the stream from now on comes after all streams. Where a call fails before, the destructor joins.
  void join();

 private:
  Status joined();
  StreamPool& pool_;
  Stream stream_;
  std::vector<StreamPool::PooledStream> taken_;
  bool open_ = false;
};

}  // namespace skipper::gpu
