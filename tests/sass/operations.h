#pragma once
// What instructions do, by the first word of their mnemonics. Each takes what it knows of a form apart and gives an action; what
// it leaves is unknown (Form::demand_all_taken).
#include <map>
#include <string>

#include "sass/warp.h"

namespace skipper::sass {

using Decoder = Action (*)(Form&);
using Operations = std::map<std::string, Decoder>;

// Integers and bits: those of the uniform datapath, as UIADD3, do the same once for a warp.
Operations const& integer_operations();  // integers.cpp
Operations const& bit_operations();      // bits.cpp
Operations const& number_operations();   // numbers.cpp
Operations const& memory_operations();   // accesses.cpp
// Between registers, predicates and special registers.
Operations const& register_operations();  // moves.cpp
// After these a warp looks anew which of its threads go on.
Operations const& control_operations();  // control.cpp

}  // namespace skipper::sass
