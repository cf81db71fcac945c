// The interface between a rank on a GPU and its device. All work is enqueued on streams of the device; memory of other ranks is
// reached by plain addresses.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "distributed/local_problem.h"
#include "stream/copy.h"

namespace skipper::distributed {

using GpuStream = void*;

/// A prepared local transform.
class GpuTransform {
 public:
  virtual ~GpuTransform() = default;
  virtual Index workspace_bytes() const = 0;
  virtual void run(void const* in, void* out, void* workspace, GpuStream stream) const = 0;
  /// Where it was made with a unit: element i of the output goes to address bases[i / unit] plus i elements.
  virtual void run_to_peers(void const* in, void const* bases, void* workspace, GpuStream stream) const = 0;
};

/// What is done to elements as a transform loads them: CUDA C++ that defines `Value on_load(Value x, long long place, void* data)`
/// (plan/spec_text.h), and device memory that it is called with. Empty: nothing.
struct GpuLoad {
  std::string text = {};
  void* data = nullptr;
};

/// The work that was enqueued on a stream before a moment.
class GpuEvent {
 public:
  virtual ~GpuEvent() = default;
  virtual void record(GpuStream stream) = 0;
  virtual void synchronise() = 0;  // the calling thread waits
};

/// A moment in a stream, by the device's clock.
class GpuMark {
 public:
  virtual ~GpuMark() = default;
  /// The calling thread waits until this one is past.
  virtual double seconds_since(GpuMark const& earlier) const = 0;
};

/// A piece of device memory as another process can open it.
using MemoryHandle = std::array<unsigned char, 64>;

class Gpu {
 public:
  virtual ~Gpu() = default;

  /// Owned by the device's port until release.
  virtual void* allocate(Index bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  virtual void* allocate_host(Index bytes) = 0;  // pinned
  virtual void release_host(void* memory) noexcept = 0;
  /// Waits until it is there.
  virtual void upload(void* to, void const* from, Index bytes) = 0;
  virtual std::unique_ptr<GpuTransform> prepare(LocalProblem const& local, Index peer_unit,
                                                GpuLoad const& load = {}) = 0;
  virtual GpuStream make_stream() = 0;  // lives as long as the port
  virtual std::unique_ptr<GpuEvent> make_event() = 0;
  /// The moment when all that was enqueued is done.
  virtual std::unique_ptr<GpuMark> mark(GpuStream stream) = 0;

  /// Whether kernels of this device may use memory of that one from now on.
  virtual bool reaches(Gpu& other) = 0;
  /// Nothing where this system cannot.
  virtual std::optional<MemoryHandle> exported(void* memory) = 0;
  /// Null where it cannot be opened here.
  virtual void* opened(MemoryHandle const& handle) = 0;
  virtual void close(void* memory) noexcept = 0;

  /// Copies rows between memory of this device, of others, and pinned memory of the host. Sizes and pitches count bytes.
  virtual void copy(stream::RowsOfBox const& rows, void const* from, void* to, GpuStream stream) = 0;
  /// Exchanges two boxes element by element; `from` and `to` are the strides of a and b.
  virtual void swap(std::vector<stream::BoxDim> const& dims, Index element_bytes, void* a, void* b,
                    GpuStream stream) = 0;
  virtual void wait(GpuStream stream, GpuEvent& event) = 0;
  virtual void synchronise(GpuStream stream) = 0;
  virtual void synchronise() = 0;  // all that was enqueued on the device
};

}  // namespace skipper::distributed
