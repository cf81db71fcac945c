// The commands of the program, one a file. Exit codes: 0 done; 1 done, and the answer is no (a verification failed, a
// comparison found a regression); 2 the command line is wrong; 3 a file, a device or memory failed.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

enum Exit { done = 0, answer_is_no = 1, bad_command_line = 2, failure = 3 };

struct Command {
  std::string name;
  std::string operands;  // as help prints them
  std::string summary;
  std::string details;  // what help for this command adds
  std::vector<Option> options;
  int (*run)(Args const&);
};

Command info_command();
Command plan_command();
Command fft_command();
Command poisson_command();
Command verify_command();
Command bench_command();
Command tune_command();
Command compare_command();
Command crossover_command();
Command plot_command();
Command run_command();
Command completion_command();
Command man_command();

std::vector<Command> commands();

// What is printed for something that was thrown, and the exit code.
struct Complaint {
  int code = failure;
  std::string message;
};
Complaint complaint_of(std::exception_ptr const& thrown);

// Something that went wrong on a rank, with the exit code that it had there.
struct RankFailure : std::runtime_error {
  RankFailure(int exit_code, std::string const& message) : std::runtime_error(message), code(exit_code) {}
  int code;
};

// Runs a whole command line, without the program's name; errors are printed, never thrown.
int run_command_line(std::vector<std::string> const& words);

// Where the program's file lies; empty where the system does not tell.
std::string program_path();

}  // namespace skipper::cli
