// Problems with 16-bit storage, zero-padded inputs, cropped outputs, or a user's callbacks on load and store; and convolution,
// which multiplies between a transform and its inverse. Transforms are loaded into a dense buffer, computed there, and
// stored from it: as many at a time as fit in cache, or one large one by all threads.
#pragma once

#include <complex>

#include "cpu/engine.h"

namespace skipper::cpu {

/// Whether the problem needs this.
bool has_callbacks(Problem const& problem, Options const& options);

/// The memory that make_buffered() would take.
Needs needs_of_buffered(Problem const& problem, Machine const& machine, Options const& options);

class BufferedTransform {
 public:
  virtual ~BufferedTransform() = default;
  virtual std::size_t workspace_bytes() const = 0;
  virtual void execute(void const* in, void* out, void* workspace) const = 0;
  virtual std::string describe() const = 0;
};

std::unique_ptr<BufferedTransform const> make_buffered(Problem const& problem, Machine const& machine,
                                                       Options const& options);

/// Forward, pointwise, inverse: `problem` ends in the buffer, its outputs are multiplied by `factors`, and `back`, on the same axes,
/// begins there. With several sets of factors, each as many as a transform has outputs, successive transforms take successive sets.
std::unique_ptr<BufferedTransform const> make_buffered(Problem const& problem, Problem const& back,
                                                       std::vector<std::complex<double>> const& factors,
                                                       Machine const& machine, Options const& options);

}  // namespace skipper::cpu
