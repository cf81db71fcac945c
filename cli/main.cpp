// The program `skipper`; skipper_program.cpp lists its commands.
#include "command.h"

int main(int count, char** words) {
  return skipper::cli::run_program(skipper::cli::skipper_program(), count, words);
}
