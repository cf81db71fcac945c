// The two interfaces of the pipeline: a device with memory of its own and streams of work that run side by side,
// and the host that it is attached to. Engines implement them; src/stream knows no engine.
#pragma once

#include <skipper/problem.h>

#include <cstddef>
#include <functional>
#include <memory>

#include "base/index.h"
#include "stream/copy.h"
#include "stream/divide.h"

namespace skipper::stream {

/// Work on one stream is done in order; streams run side by side.
enum class StreamId { up, sweeps, down };

/// A prepared transform on the device.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual Index workspace_bytes() const = 0;
};

/// What stays of a division, or an elimination, where a device does it by the host's code.
struct Divisor : Prepared {
  Division by;
  explicit Divisor(Division const& division) : by(division) {}
  Index workspace_bytes() const override { return 0; }
};
struct Eliminator : Prepared {
  Elimination by;
  explicit Eliminator(Elimination const& elimination) : by(elimination) {}
  Index workspace_bytes() const override { return 0; }
};

/// An event of a stream: complete when everything enqueued on the stream before it is.
class Mark {
 public:
  virtual ~Mark() = default;
  virtual void wait() const = 0;  // the calling thread waits
};
using MarkRef = std::shared_ptr<Mark const>;

/// Rows of as many bytes each, so far apart on either side.
struct Rows {
  Index bytes = 0, count = 1, device_pitch = 0, host_pitch = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  /// Whether its memory is the host's: then nothing is copied up or down, and the host gathers directly into it.
  virtual bool shares_memory() const = 0;

  /// Device memory, and host memory that copies run from and to at full speed. Aligned to 64 bytes.
  virtual void* allocate(Index bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void* allocate_host(Index bytes) = 0;
  virtual void release_host(void* memory) = 0;
  /// Whether copies run from and to this memory of the caller's just as well.
  virtual bool reaches(void const* host) const = 0;

  virtual std::unique_ptr<Prepared> prepare(Problem const& problem) = 0;
  virtual std::unique_ptr<Prepared> prepare(Division const& division) = 0;
  virtual std::unique_ptr<Prepared> prepare(Elimination const& elimination) = 0;

  // These return at once; what they start happens in the order of their stream. One thread at a time calls them.
  virtual void copy_up(void* device, void const* host, Rows const& rows) = 0;
  virtual void copy_down(void* host, void const* device, Rows const& rows) = 0;
  virtual void run(Prepared const& prepared, void const* in, void* out, void* workspace) = 0;
  /// divide() of divide.h in the device's memory, among the sweeps.
  virtual void divide(Prepared const& division, std::vector<DivisionDim> const& dims, void* data,
                      void* constant) = 0;
  /// Solves columns first .. first + count - 1 of an elimination, also among the sweeps; `from` and `to` are
  /// [rows][count] and may be one. The mean that column 0 lost goes to `constant`, as a double.
  virtual Index buffer_bytes(Prepared const& elimination, Index count) const = 0;
  virtual void eliminate(Prepared const& elimination, Index first, Index count, void const* from, void* to,
                         void* buffer, void* constant) = 0;
  virtual MarkRef mark(StreamId id) = 0;
  virtual void wait_for(StreamId id, Mark const& mark) = 0;  // the stream waits, not the caller
};

class Host {
 public:
  virtual ~Host() = default;
  /// Splits a loop over threads; called by several threads at once.
  virtual void loop(Index count, std::function<void(Index, Index)> const& body) = 0;
  /// Transforms in host memory.
  virtual void run(Problem const& problem, void const* in, void* out) = 0;
};

}  // namespace skipper::stream
