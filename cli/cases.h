// Which problems a command is about: one, given as a shape with options or as its whole text; the lines of a list
// file; or a built-in suite.
#pragma once

#include <skipper/problem.h>

#include <optional>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

// The options that turn a shape into a problem: --kind, --precision, --batch, --inverse, --in-place.
std::vector<Option> problem_options();

// From "512x512x512" and the options, or from a text such as "c2c f32 forward 64x64 batch 8" alone.
Problem problem_from(Args const& args, std::string const& operand);

// A line of a list, or a case of a suite. `fault` says why there is no problem.
struct Case {
  std::string line;
  std::optional<Problem> problem;
  std::string fault;
};

// Lines `kind precision batch sizes...`, or whole texts of problems; # begins a comment.
std::vector<Case> read_list(std::string const& path);

struct Suite {
  std::string name;
  std::string summary;
};
std::vector<Suite> suites();
std::vector<Case> suite(std::string const& name);

// What the operand, --list and --suite say, or `other` where none of them is given.
std::vector<Case> cases_from(Args const& args, std::vector<Case> other);

// The two options that cases_from() reads beside problem_options().
std::vector<Option> list_options();

}  // namespace skipper::cli
