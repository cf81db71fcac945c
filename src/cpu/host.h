// What this machine is: its cores, and the instruction sets that were compiled in and that it runs. All that the engine asks of it
// is asked here. Where the variable SKIPPER_HOST holds a machine's name or text (base/machine.h), that CPU is taken for this one,
// as far as its instruction set can be run here: so tests run as on machines with other cores and caches.
#pragma once

#include <string>
#include <vector>

#include "base/machine.h"
#include "cpu/kernels.h"

namespace skipper::cpu {

/// Cores that this process may run on.
int cores();

/// The sets that this machine can run, best last. Never empty.
std::vector<Variant const*> const& variants();

/// By name; "" is the best. Throws Error for one that is unknown or that this machine cannot run.
Variant const& variant(std::string const& name);

/// The bytes of the machine's memory that this process can have at most.
double memory_limit(Machine const& machine);

}  // namespace skipper::cpu
