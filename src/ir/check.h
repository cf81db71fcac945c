#pragma once
// Whether a kernel is valid: what each instruction demands of its operands' types, that each value is known where it is used,
// that regions are closed in order, and that barriers are reached by all threads which they are for.
#include "ir/kernel.h"

namespace skipper::ir {

/// One sentence for each fault, which names the instruction. Empty: the kernel is valid.
std::vector<std::string> faults(Kernel const& kernel);

/// The largest group of threads for which a value is always the same.
enum class Agree : std::uint8_t { cluster, block, warp, thread };
std::vector<Agree> agreement(Kernel const& kernel);

}  // namespace skipper::ir
