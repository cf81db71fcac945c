// A prepared program on a device: its kernels loaded, its tables uploaded, its launches worked out. Immutable, and
// shared by all plans of the same problem in the same context: making one again within a process costs nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/memory.h"
#include "gpu/prepare.h"

namespace skipper::gpu {

struct LoadedSweep {
  Module module = nullptr;
  Function function = nullptr;
  unsigned grid_x = 1, grid_y = 1, threads = 1, shared_bytes = 0;
  Buffer from = Buffer::in, to = Buffer::out;
  std::vector<DevicePointer> tables;
};

struct LoadedProgram {
  Program program;
  int device = 0;
  Context context = nullptr;
  std::vector<LoadedSweep> sweeps;
  std::unique_ptr<Memory> tables;  // of all sweeps
  std::size_t work_bytes = 0;      // of one work array
  int works = 0;
  Index in_alignment = 1, out_alignment = 1;  // bytes: what kernels move at once of the user's arrays

  LoadedProgram() = default;
  LoadedProgram(LoadedProgram const&) = delete;
  LoadedProgram& operator=(LoadedProgram const&) = delete;
  ~LoadedProgram();

  /// Both of them together, each beginning at a multiple of 256 bytes.
  std::size_t workspace_bytes() const { return work_bytes * std::size_t(works); }

  /// Enqueues the sweeps. All pointers are to memory of the device, and the context is current.
  void launch(DevicePointer in, DevicePointer out, DevicePointer work, Stream stream) const;
  /// Enqueues one of them.
  void launch(LoadedSweep const& sweep, DevicePointer in, DevicePointer out, DevicePointer work,
              Stream stream) const;
};

/// What `make` prepares, loaded into the context of the device that is current here; or what was loaded there before
/// under the same name.
std::shared_ptr<LoadedProgram const> loaded(std::string const& name, int device, Stopwatch& watch,
                                            Prepared (*make)(void const*), void const* argument);

template <class Make>
std::shared_ptr<LoadedProgram const> loaded(std::string const& name, int device, Stopwatch& watch,
                                            Make const& make) {
  return loaded(
      name, device, watch, [](void const* m) { return (*static_cast<Make const*>(m))(); }, &make);
}

}  // namespace skipper::gpu
