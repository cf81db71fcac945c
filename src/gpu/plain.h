// Kernels that are no sweeps (trace/plain.h). Each is compiled or fetched, and loaded once for a context, where it stays: there are
// few.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "base/index.h"
#include "gpu/memory.h"
#include "trace/plain.h"

namespace skipper::gpu {

class PlainKernel {
 public:
  /// Of arrays of reals or complex numbers, in f32 or wide in f64. In the context that is current.
  PlainKernel(trace::PlainKernel kernel, bool complex, bool wide, int device);

  template <class Args>
  void launch(Index blocks, int threads, int shared, Args args, Stream stream) const {
    if (!traced_) {
      void* all = &args;
      return launch(blocks, threads, shared, &all, stream);
    }
    std::array<void*, sizeof(Args) / 4> parameters;
    std::size_t count = 0;
    Args::fields(args, [&]<class Field>(char const*, Field& field) {
      if constexpr (std::is_array_v<Field>)
        for (auto& one : field) parameters[count++] = &one;
      else
        parameters[count++] = const_cast<void*>(static_cast<void const*>(&field));
    });
    launch(blocks, threads, shared, parameters.data(), stream);
  }
  template <class Args>
  void launch(Index blocks, int threads, Args args, Stream stream) const {
    launch(blocks, threads, 0, args, stream);
  }

 private:
  void launch(Index blocks, int threads, int shared, void** parameters, Stream stream) const;
  Function function_ = nullptr;
  bool traced_ = false;  // it takes each argument by itself
};

/// Numbers that stay on the device, in the context that is current.
Memory uploaded(std::vector<double> const& numbers);

}  // namespace skipper::gpu
