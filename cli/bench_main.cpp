// The program `skipper-bench`; bench_program.cpp lists its commands.
#include "command.h"

int main(int count, char** words) {
  return skipper::cli::run_program(skipper::cli::bench_program(), count, words);
}
