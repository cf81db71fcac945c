#pragma once
// The problems of a list in tests/machine_code: one a line, # begins a comment.
#include <skipper/problem.h>

#include <fstream>
#include <vector>

#include "support/source_dir.h"

namespace skipper::testing {

inline std::vector<Problem> listed_problems(char const* file) {
  std::ifstream in(source_dir() / "tests/machine_code" / file);
  std::vector<Problem> problems;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') problems.push_back(parse_problem(line));
  return problems;
}

}  // namespace skipper::testing
