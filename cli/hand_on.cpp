// See hand_on.h.
#include "hand_on.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "command.h"
#include "file_error.h"
#include "output_target.h"

namespace skipper::cli {

void hand_on(std::vector<std::string> const& words) {
  std::vector<char*> arguments{const_cast<char*>("skipper-bench")};
  for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (char const* const named = std::getenv("SKIPPER_BENCH"); named && *named) {
    ::execv(named, arguments.data());
    fail_by_system(std::string("SKIPPER_BENCH names ") + named, "which cannot be run", errno);
  }
  std::string const beside = folder_of(program_path()) + "/skipper-bench";
  ::execv(beside.c_str(), arguments.data());
  ::execvp("skipper-bench", arguments.data());
  throw FileError("skipper-bench, the program that measures and compares, is neither at " + beside +
                  " nor in PATH; build or install it, or name it in SKIPPER_BENCH");
}

}  // namespace skipper::cli
