#pragma once
// What instructions do, by the first word of their mnemonics. Each takes what it knows of a form apart and gives an action; what
// it leaves is unknown (Form::demand_all_taken).
#include <map>
#include <string>

#include "sass/warp.h"

namespace skipper::sass {

using Decoder = Action (*)(Form&);
using Operations = std::map<std::string, Decoder>;

// Those of the uniform datapath, as UIADD3, do the same once for a warp.
Operations const& integer_operations();  // integers.cpp
Operations const& bit_operations();      // bits.cpp
Operations const& number_operations();   // numbers.cpp
Operations const& memory_operations();   // accesses.cpp
Operations const&
control_operations();  // control.cpp: those after which a warp looks anew which threads go on
Operations const& register_operations();  // moves.cpp: between registers, predicates and special registers

}  // namespace skipper::sass
