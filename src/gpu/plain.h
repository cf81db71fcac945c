// Kernels that are no sweeps (kernel/plain_entry.h), by their names. Each is compiled or fetched, and loaded once for a
// context, where it stays: there are few.
#pragma once

#include <string>
#include <vector>

#include "base/index.h"
#include "gpu/memory.h"

namespace skipper::gpu {

class PlainKernel {
 public:
  /// "columns_kernel<float>" for "columns_kernel" on single reals. In the context that is current.
  PlainKernel(std::string const& kernel, bool complex, bool wide, int device);

  template <class Args>
  void launch(Index blocks, int threads, int shared, Args args, Stream stream) const {
    launch(blocks, threads, shared, static_cast<void*>(&args), stream);
  }
  template <class Args>
  void launch(Index blocks, int threads, Args args, Stream stream) const {
    launch(blocks, threads, 0, static_cast<void*>(&args), stream);
  }

 private:
  void launch(Index blocks, int threads, int shared, void* args, Stream stream) const;
  Function function_ = nullptr;
};

/// Numbers that stay on the device, in the context that is current.
Memory uploaded(std::vector<double> const& numbers);

}  // namespace skipper::gpu
