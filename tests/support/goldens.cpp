#include "support/goldens.h"

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

std::string golden_text(Program const& program) { return text(program) + "\n"; }

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
    Program program = parse_program(entry);
    list.push_back({program.problem, program});
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
