// `skipper bench` and its like: the words go to the program skipper-bench, which takes this process's place.
#pragma once

#include <string>
#include <vector>

namespace skipper::cli {

// Returns only by an exception: FileError where there is no such program, or it cannot be run. It is the file that
// $SKIPPER_BENCH names; else the one beside this program, else the first in $PATH.
[[noreturn]] void hand_on(std::vector<std::string> const& words);

}  // namespace skipper::cli
