#pragma once
// Records the kernel of a sweep: the text of src/kernel, run once with numbers that write down what is done with them (ir/values.h).
#include "ir/kernel.h"
#include "kernel/spec.h"

namespace skipper::trace {

/// The kernel of a spec, computing in f32 or f64. Its parameters are in, out, roots, scale, factors, data and constant_mode, as in
/// kernel::Args; its blocks, or clusters, are the spec's tiles. It calls a user's functions where the spec has some, with `data`.
ir::Kernel trace(kernel::SweepSpec const& spec, ir::Type real);

/// How many tiles the spec's grid has.
std::int64_t tiles(kernel::SweepSpec const& spec);

}  // namespace skipper::trace
