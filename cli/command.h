// The programs `skipper` and `skipper-bench` and their commands, one a file. Exit codes: 0 done; 1 done, and the answer is no
// (a verification failed, a comparison found a regression); 2 the command line is wrong; 3 a file, a device or memory failed.
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

enum Exit { done = 0, answer_is_no = 1, bad_command_line = 2, failure = 3 };

// A command that is declared in a program: CLI11 reads its options, then it is run.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

// Of `skipper`, the program for users.
Command info_command(CLI::App& program);
Command plan_command(CLI::App& program);
Command fft_command(CLI::App& program);
Command poisson_command(CLI::App& program);
Command verify_command(CLI::App& program);
Command tune_command(CLI::App& program);
// Of the one that measures and compares.
Command bench_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command crossover_command(CLI::App& program);
Command plot_command(CLI::App& program);
Command run_command(CLI::App& program);
// Of both: they print what the program says about itself.
Command completion_command(CLI::App& program);
Command man_command(CLI::App& program);

struct Program {
  std::string name, summary;
  std::vector<Command (*)(CLI::App&)> commands;
  struct HandedOn {
    std::string name, summary;
  };
  std::vector<HandedOn> handed_on;  // commands of skipper-bench, which it runs for them
};
Program skipper_program();
Program bench_program();

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
int run_command_line(Program const& program, std::vector<std::string> const& words);

// The same for main(), whose first word is the program's name.
int run_program(Program const& program, int count, char** words);

// What a program declares, for those who print it: help's words, option by option.
struct DeclaredOption {
  std::string name;   // "--machine"
  std::string value;  // "NAME"; empty: a flag
  std::string help;
};
struct DeclaredCommand {
  std::string name;
  std::string operands;  // "[problem...]"
  std::string summary, details;
  std::vector<DeclaredOption> options;
  bool handed_on = false;
};
std::vector<DeclaredCommand> commands_of(CLI::App const& program);
std::vector<DeclaredCommand> commands_of(Program const& program);
std::string name_of(CLI::App const& program);
std::string summary_of(CLI::App const& program);

// Where the program's file lies; empty where the system does not tell.
std::string program_path();

}  // namespace skipper::cli
