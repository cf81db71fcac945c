// Command lines of either program, within the process of a test.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace skipper::cli {

/// As `skipper WORDS`; commands of skipper-bench, which the program hands on, run in this process too.
inline int run_command_line(std::vector<std::string> const& words) {
  for (Program::HandedOn const& other : skipper_program().handed_on)
    if (!words.empty() && (words[0] == other.name || (words[0] == "help" && words.back() == other.name)))
      return run_command_line(bench_program(), words);
  return run_command_line(skipper_program(), words);
}

}  // namespace skipper::cli
