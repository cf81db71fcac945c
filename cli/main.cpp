// The program `skipper`; command.cpp knows the commands.
#include <fcntl.h>
#include <unistd.h>

#include "command.h"

namespace {

// Where the caller has closed a standard stream, its number must not become that of a file that is opened later, which
// would then get what is printed. It is opened the wrong way round, so that using it fails as it would closed.
void keep_standard_numbers() {
  for (int const number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

int main(int count, char** words) {
  keep_standard_numbers();
  return skipper::cli::run_command_line({words + (count > 0 ? 1 : 0), words + count});
}
