#pragma once
// From what nvdisasm prints of one kernel to actions.
#include "sass/warp.h"

namespace skipper::sass {

/// Throws Fault where it does not know an instruction, which it names, or where the listing holds several kernels or none.
Code decode(std::string const& listing);

}  // namespace skipper::sass
