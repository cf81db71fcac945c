#pragma once
// The text of a sweep, where it is recorded: compiled once, for any spec.
#include "ir/kernel.h"
#include "trace/block.h"

namespace skipper::trace {

/// kernel::sweep().
Bool record_sweep(kernel::SweepSpec const& spec, Block& block, kernel::Args<Real> const& args);

/// The parameters of a sweep, in the order of kernel::Args, and the arguments that begin at a parameter.
std::vector<ir::Parameter> sweep_parameters(ir::Type real, std::string const& prefix = "");
kernel::Args<Real> sweep_arguments(int first_parameter);

/// An array that a parameter has the address of.
Index array(int parameter);

}  // namespace skipper::trace
