// Which problems a command is about: those that it names, by shapes with options or by their whole texts; the lines of a list
// file; or a built-in suite.
#pragma once

#include <skipper/problem.h>

#include <optional>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

// What the options say: shapes or whole texts of problems, what makes a problem of a shape, or a list or suite of cases.
struct ProblemOptions {
  CLI::App const* command = nullptr;
  std::vector<std::string> problems;
  std::string kind = "c2c", precision = "f32";
  std::int64_t batch = 1;
  bool inverse = false, in_place = false;
  std::optional<std::string> list, suite;
};

// The operands, --kind, --precision, --batch, --inverse, --in-place, --list and --suite.
void problem_options(CLI::App& command, ProblemOptions& to);

// From "512x512x512" and the options, or from a text such as "c2c f32 forward 64x64 batch 8" alone.
Problem problem_from(ProblemOptions const& options, std::string const& operand);

// A line of a list, a case of a suite, or a problem that was named on the command line. `fault` says why there is no problem.
struct Case {
  std::string line;
  std::optional<Problem> problem;
  std::string fault;
  bool named = false;  // on the command line
};

// How long the longest of them is as text, for tables that are printed row by row.
std::size_t longest_text(std::vector<Case> const& cases);

// Lines `kind precision batch sizes...`, or whole texts of problems; # begins a comment.
std::vector<Case> read_list(std::string const& path);

struct Suite {
  std::string name;
  std::string summary;
};
std::vector<Suite> suites();
std::vector<Case> suite(std::string const& name);

// What the operands, --list and --suite say, or `other` where none of them is given.
std::vector<Case> cases_from(ProblemOptions const& options, std::vector<Case> other);

}  // namespace skipper::cli
