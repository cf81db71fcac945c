// The program `skipper`; command.cpp knows the commands.
#include "command.h"

int main(int count, char** words) {
  return skipper::cli::run_command_line({words + (count > 0 ? 1 : 0), words + count});
}
