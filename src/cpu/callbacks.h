// Problems whose sides need more than loads and stores: 16-bit storage, inputs that are padded with zeros, outputs that are cropped, a user's
// functions on load and store; and a middle, a product between a transform and its way back. Transforms are loaded into
// a dense buffer, done there, and stored from it; so many at a time as stay in cache, or one large one by all threads.
#pragma once

#include <complex>

#include "cpu/engine.h"

namespace skipper::cpu {

/// Whether the problem needs this.
bool has_callbacks(Problem const& problem, Options const& options);

/// What make_buffered() would take.
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

/// A middle: `problem` is done as far as the buffer, each transform there is multiplied by `factors` (one after the other, where
/// there are several times as many as a transform has outputs), and `back`, on the same axes, is done from there.
std::unique_ptr<BufferedTransform const> make_buffered(Problem const& problem, Problem const& back,
                                                       std::vector<std::complex<double>> const& factors,
                                                       Machine const& machine, Options const& options);

}  // namespace skipper::cpu
