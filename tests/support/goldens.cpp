#include "support/goldens.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "support/source_dir.h"

namespace skipper::testing {
namespace {

std::ifstream opened(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return file;
}

}  // namespace

std::string golden_path(std::string const& name) {
  return (source_dir() / "tests/plan/golden" / (name + ".txt")).string();
}

std::string golden_text(double cost, Program const& program) {
  char line[40];
  std::snprintf(line, sizeof line, "%.3f x copy: ", cost);
  return line + text(program) + "\n";
}

std::vector<Problem> golden_problems() {
  std::vector<Problem> problems;
  auto file = opened(golden_path("problems"));
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') problems.push_back(parse_problem(line));
  return problems;
}

std::vector<Golden> goldens(std::string const& machine) {
  std::vector<Golden> list;
  auto file = opened(golden_path(machine));
  std::string entry;
  auto const finish = [&] {
    if (entry.empty()) return;
    std::string const mark = " x copy: ";
    auto const at = entry.find(mark);
    if (at == std::string::npos) throw std::runtime_error("no cost in golden entry: " + entry);
    Program program = parse_program(entry.substr(at + mark.size()));
    list.push_back({program.problem, std::stod(entry.substr(0, at)), program});
    entry.clear();
  };
  for (std::string line; std::getline(file, line);) {
    if (line.empty())
      finish();
    else
      entry += line + "\n";
  }
  finish();
  return list;
}

}  // namespace skipper::testing
