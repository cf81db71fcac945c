// Problems from command lines, lists and suites.
#include "cases.h"

#include <algorithm>
#include <sstream>

#include "file_error.h"
#include "format.h"
#include "input_file.h"
#include "output_target.h"
#include "scalars.h"

namespace skipper::cli {
namespace {

// What makes a problem of a shape.
constexpr char const* shape_options[] = {"--kind", "--precision", "--batch", "--inverse", "--in-place"};

bool is_text(std::string const& operand) { return operand.find(' ') != std::string::npos; }

// "c2c f32 forward 64" has a direction or no number as its third word; "c2c f32 512 64 64" is a line of a list.
Problem parse_line(std::string const& line) {
  std::istringstream words(line);
  std::string kind, precision, third, fourth;
  words >> kind >> precision >> third >> fourth;
  bool const list_form =
      !fourth.empty() && (third + fourth).find_first_not_of("0123456789") == std::string::npos;
  return list_form ? parse_case(line) : parse_problem(line);
}

Case case_of(std::string const& line) {
  try {
    return {line, parse_line(line), ""};
  } catch (Error const& e) {
    return {line, std::nullopt, e.what()};
  }
}

std::vector<Case> cases_of(std::vector<std::string> const& lines) {
  std::vector<Case> result;
  for (std::string const& line : lines) result.push_back(case_of(line));
  return result;
}

std::vector<std::string> lengths(std::string const& head, std::vector<int> const& sizes, int rank = 1) {
  std::vector<std::string> lines;
  for (int const n : sizes) {
    std::string line = head;
    for (int i = 0; i < rank; ++i) line += formatted(" {}", n);
    lines.push_back(line);
  }
  return lines;
}

// What each suite holds, in the form of list files.
std::vector<std::string> suite_lines(std::string const& name) {
  std::vector<std::string> all;
  auto const add = [&](std::vector<std::string> const& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  bool const every = name == "all";
  if (name == "quick")
    return {"c2c f32 1 4096",  "c2c f64 1 65536",      "r2c f32 1 65536",    "c2c f32 1 100000",
            "c2c f32 1 10007", "c2c f32 1 512 512",    "c2c f64 1 64 64 64", "r2c f32 1 128 128 128",
            "c2c f32 4096 64", "c2c f32 1 128 128 128"};
  if (every || name == "1d")
    for (char const* precision : {"c2c f32 1", "c2c f64 1"})
      add(lengths(precision,
                  {1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22}));
  if (every || name == "smooth")
    add(lengths("c2c f32 1", {60, 360, 1000, 1536, 5040, 10125, 100000, 823543, 1000000}));
  if (every || name == "prime") add(lengths("c2c f64 1", {17, 101, 499, 1009, 10007, 65537, 1000003}));
  if (every || name == "2d")
    for (char const* precision : {"c2c f32 1", "c2c f64 1"})
      add(lengths(precision, {64, 128, 256, 512, 1024, 2048}, 2));
  if (every || name == "3d")
    for (char const* precision : {"c2c f32 1", "c2c f64 1"})
      add(lengths(precision, {16, 32, 64, 100, 128, 256}, 3));
  if (every || name == "batched")
    add({"c2c f32 65536 16", "c2c f32 16384 64", "c2c f32 4096 256", "c2c f32 1024 1024", "c2c f64 1024 1000",
         "c2c f32 256 64 64", "c2c f64 64 32 32 32"});
  if (every || name == "real") {
    add(lengths("r2c f32 1", {1 << 10, 1 << 16, 1 << 20}));
    add(lengths("c2r f64 1", {1 << 10, 1 << 16, 1 << 20}));
    add({"r2c f32 1 1024 1024", "r2c f64 1 128 128 128", "c2r f32 1 128 128 128", "r2c f32 1024 1000"});
  }
  return all;
}

}  // namespace

void problem_options(CLI::App& command, ProblemOptions& to) {
  to.command = &command;
  add_operands(
      command, "problem", to.problems, 0,
      "shapes such as 512x512x512, slowest axis first, or whole texts, 'c2c f32 forward 64x64 batch 8'");
  add_choice(command, "--kind", "KIND", to.kind, {"c2c", "r2c", "c2r"}, "c2c (default), r2c or c2r");
  add_choice(command, "--precision", "P", to.precision, {"f16", "bf16", "f32", "f64"},
             "f32 (default), f64, f16 or bf16");
  add_integer(command, "--batch", "N", to.batch, {1}, "transforms at once (default 1)");
  add_flag(command, "--inverse", to.inverse, "the inverse transform (c2c)");
  add_flag(command, "--in-place", to.in_place, "in place");
  add_text(command, "--list", "FILE", to.list, "the cases of a file, a line each: c2c f32 512 64 64 64");
  std::vector<std::string> names;
  for (Suite const& s : suites()) names.push_back(s.name);
  add_choice(command, "--suite", "NAME", to.suite, names, "built-in cases: " + joined(names, ", "));
  exclude(command, {"--list", "--suite"});
}

Problem problem_from(ProblemOptions const& options, std::string const& operand) {
  if (is_text(operand)) {
    if (operand.find_first_not_of("0123456789xX ") == std::string::npos &&
        operand.find_first_of("xX") != std::string::npos)
      refuse(formatted("{} is not a shape such as 512x512x512; leave the blanks out", in_quotes(operand)));
    for (char const* const option : shape_options)
      if (given(*options.command, option))
        refuse(formatted("{} does not go with the whole text of a problem; put it into the text", option));
    return parse_line(operand);
  }
  std::string small = operand;
  std::ranges::replace(small, 'X', 'x');
  std::vector<std::int64_t> const shape = integers(small, 'x', "a shape such as 512x512x512");
  Precision const precision = precision_named(options.precision);
  if (options.kind == "r2c" && options.inverse) refuse("--inverse does not go with r2c; use --kind c2r");
  Problem problem = options.kind == "r2c"   ? r2c(shape, options.batch, precision)
                    : options.kind == "c2r" ? c2r(shape, options.batch, precision)
                                            : c2c(shape, options.batch, precision,
                                                  options.inverse ? Direction::inverse : Direction::forward);
  if (options.in_place) problem = in_place(problem);
  check(problem);
  return problem;
}

std::size_t longest_text(std::vector<Case> const& cases) {
  std::size_t longest = 0;
  for (Case const& c : cases)
    if (c.problem) longest = std::max(longest, text(*c.problem).size());
  return longest;
}

std::vector<Case> read_list(std::string const& path) {
  std::istringstream file(read_file(path));
  std::vector<Case> result;
  for (std::string line; std::getline(file, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.empty()) result.push_back(case_of(line));
  }
  if (result.empty())
    throw FileError(called(path, "standard input") +
                    ": it lists no case; write lines such as `c2c f32 512 64 64 64`");
  return result;
}

std::vector<Suite> suites() {
  return {{"quick", "ten cases of every sort, a few seconds"},
          {"1d", "powers of two, 2^4 to 2^22"},
          {"smooth", "products of small primes"},
          {"prime", "prime lengths"},
          {"2d", "squares, 64 to 2048"},
          {"3d", "cubes, 16 to 256"},
          {"batched", "many at once"},
          {"real", "r2c and c2r"},
          {"all", "all of these but quick"}};
}

std::vector<Case> suite(std::string const& name) { return cases_of(suite_lines(name)); }

std::vector<Case> cases_from(ProblemOptions const& options, std::vector<Case> other) {
  std::vector<Case> cases;
  for (std::string const& operand : options.problems) {
    try {
      Problem const problem = problem_from(options, operand);
      cases.push_back({text(problem), problem, "", true});
    } catch (Error const& e) {  // it can be read, but there is no such problem
      if (options.problems.size() == 1) throw;
      cases.push_back({operand, std::nullopt, e.what(), true});
    }
  }
  if (!cases.empty()) {
    demand_absent(*options.command, {"--list", "--suite"}, "does not go with a problem");
    return cases;
  }
  for (char const* const option : shape_options)
    if (given(*options.command, option))
      refuse(formatted("{} goes with a shape; give one, such as 256x256", option));
  if (options.list) return read_list(*options.list);
  return options.suite ? suite(*options.suite) : other;
}

}  // namespace skipper::cli
