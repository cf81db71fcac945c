// The instruction sets that were compiled in and that this CPU runs.
#pragma once

#include <string>
#include <vector>

#include "base/machine.h"
#include "cpu/kernels.h"

namespace skipper::cpu {

/// Those that this machine can run, best last. Never empty.
std::vector<Variant const*> const& variants();

/// By name; "" is the best. Throws Error for one that is unknown or that this machine cannot run.
Variant const& variant(std::string const& name);

/// The bytes of the machine's memory that this process can have at most.
double memory_limit(Machine const& machine);

}  // namespace skipper::cpu
