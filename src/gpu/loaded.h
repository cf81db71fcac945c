// A prepared program on a device: its kernels loaded, its tables uploaded, its launches worked out. Immutable, and
// shared by all plans of the same problem in the same context: making one again within a process costs nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/stream_pool.h"
#include "gpu/memory.h"
#include "gpu/prepare.h"
#include "plan/l2_block.h"

namespace skipper::gpu {

/// Thrown for a kernel whose clusters have more blocks than the device, or the slice (MIG) of it that is ours, holds at once.
struct ClusterTooLarge : Error {
  ClusterTooLarge(int cluster_ranks, int device);
  int blocks;
};

struct LoadedKernel {
  Module module = nullptr;
  Function function = nullptr;
  std::optional<int> local_bytes;  // of a thread in local memory, where the driver says
};

struct LoadedSweep {
  LoadedKernel kernel;
  LoadedKernel deferred;  // of two fused sweeps, where their second launch has a kernel of its own
  unsigned threads = 1, shared_bytes = 0;
  Buffer from = Buffer::in, to = Buffer::out;
  std::vector<DevicePointer> tables;
  Index tiles = 1;
  int cluster_ranks = 1;
  bool dependent = false;  // may be launched before the previous sweep has ended
  bool traced = false;     // its kernels take each argument by itself, not all as kernel::Args
};

/// A sweep and the next, or more, that go L2 block by L2 block (plan/l2_block.h), `run` indices at a time.
struct LoadedL2Blocks {
  L2Block l2_block;
  Index run = 0;
  std::size_t l2_buffer = 0;  // bytes of one stream's
  int streams = 1;
  int sweeps = 2;
  bool fused = false;  // one kernel for both (kernel/fused_passes.h): the first sweep's, the last has none
};

/// Those that sweep s begins, as streams and L2 buffers take them; a run of 0 where it begins none.
LoadedL2Blocks l2_blocks_from(Program const& program, int s);

struct LoadedProgram {
  Program program;
  std::optional<Program> inverse;  // of a convolution, from its second sweep on
  Problem inputs, outputs;         // what the user's arrays are
  double scale = 1;
  void* data = nullptr;  // of the user's functions
  int device = 0;
  Context context = nullptr;
  std::vector<LoadedSweep> sweeps;
  std::vector<LoadedL2Blocks> l2_blocks;  // of each sweep; a run of 0 where it begins none
  std::unique_ptr<StreamPool> stream_pool;
  std::unique_ptr<Memory> tables;   // of all sweeps
  std::size_t work_bytes = 0;       // of one work array
  std::size_t l2_buffer_bytes = 0;  // of all streams
  int works = 0;
  Index in_alignment = 1, out_alignment = 1;  // bytes: what kernels move at once of the user's arrays

  LoadedProgram() = default;
  LoadedProgram(LoadedProgram const&) = delete;
  LoadedProgram& operator=(LoadedProgram const&) = delete;
  ~LoadedProgram();

  std::size_t constant_mode_bytes =
      0;  // of the constant mode: the spectrum's first element where the symbol is zero there

  /// All of them together, each beginning at a multiple of 256 bytes; the L2 buffers, and last the constant mode.
  std::size_t workspace_bytes() const {
    return work_bytes * std::size_t(works) + l2_buffer_bytes + constant_mode_bytes;
  }
  DevicePointer constant_mode(DevicePointer work) const {
    return constant_mode_bytes ? work + workspace_bytes() - constant_mode_bytes : 0;
  }

  /// Enqueues the sweeps. All pointers are to memory of the device, and the context is current. `given` is for users' functions,
  /// or the table of base addresses.
  void launch(DevicePointer in, DevicePointer out, DevicePointer work, Stream stream,
              void* given = nullptr) const;
  /// Enqueues one of them.
  void launch(LoadedSweep const& sweep, DevicePointer in, DevicePointer out, DevicePointer work,
              Stream stream, bool behind = false) const;

 private:
  DevicePointer buffer(Buffer b, DevicePointer in, DevicePointer out, DevicePointer work) const;
  /// `behind`: what comes before it in the stream is a sweep of this program that triggers the next one; of a first sweep
  /// anything.
  void launch(LoadedSweep const& sweep, Index tiles, DevicePointer from, DevicePointer to,
              DevicePointer constant_mode, Stream stream, bool behind, void* given) const;
  void launch_fused(std::size_t s, DevicePointer in, DevicePointer out, DevicePointer work, Stream stream,
                    void* given) const;
  void launch_l2_blocks(std::size_t s, DevicePointer in, DevicePointer out, DevicePointer work, Stream stream,
                        void* given) const;
};

/// What `make` prepares, loaded into the context of the device that is current here; or what was loaded there before
/// under the same name; what has none is loaded anew.
std::shared_ptr<LoadedProgram const> loaded(std::string const& name, int device, Stopwatch& watch,
                                            Prepared (*make)(void const*), void const* argument);

template <class Make>
std::shared_ptr<LoadedProgram const> loaded(std::string const& name, int device, Stopwatch& watch,
                                            Make const& make) {
  return loaded(
      name, device, watch, [](void const* m) { return (*static_cast<Make const*>(m))(); }, &make);
}

}  // namespace skipper::gpu
