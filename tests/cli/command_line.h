// Command lines of either program, within the process of a test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
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

struct CommandOutcome {
  int code;
  std::string out, error;
};

inline CommandOutcome outcome_of(std::vector<std::string> const& words) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  int const code = run_command_line(words);
  std::string const out = ::testing::internal::GetCapturedStdout();
  return {code, out, ::testing::internal::GetCapturedStderr()};
}

/// The command is refused with this code and one line that holds all the words.
inline void expect_refused(int code, std::vector<std::string> const& words,
                           std::vector<std::string> const& mentioned) {
  CommandOutcome const o = outcome_of(words);
  std::string line;
  for (std::string const& w : words) line += w + " ";
  EXPECT_EQ(o.code, code) << line << o.error;
  EXPECT_EQ(std::count(o.error.begin(), o.error.end(), '\n'), 1) << line << o.error;
  for (std::string const& m : mentioned) EXPECT_NE(o.error.find(m), std::string::npos) << line << o.error;
}

}  // namespace skipper::cli
