// The text of a distributed program, read back (program.h).
#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>

#include "distributed/program.h"

namespace skipper::distributed {
namespace {

[[noreturn]] void refuse_line(std::string_view line, std::string const& why) {
  throw Error("program", "in '" + std::string(line.substr(0, 80)) + "' " + why +
                             "; give what describe() of a distributed plan prints");
}

Index number(std::string_view word, std::string_view line, Index most) {
  Index value = 0;
  auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || value < 0 || value > most)
    refuse_line(
        line, "'" + std::string(word.substr(0, 40)) + "' is not a number from 0 to " + std::to_string(most));
  return value;
}

/// What follows "split": "AXIS FIRSTxSECOND [permuted_in] [permuted_out]".
Split parse_split(std::istringstream& words, Problem const& problem, std::string_view line) {
  std::string axis, digits, order;
  words >> axis >> digits;
  std::size_t const by = digits.find('x');
  if (by == std::string::npos) refuse_line(line, "' split AXIS FIRSTxSECOND' is expected");
  Index const most = std::numeric_limits<Index>::max();
  Split split;
  split.digits = {std::size_t(number(axis, line, Index(problem.axes.size()) - 1)),
                  number(std::string_view(digits).substr(0, by), line, most),
                  number(std::string_view(digits).substr(by + 1), line, most)};
  Index const length = problem.axes[split.digits.axis].size;
  if (split.digits.first < 2 || split.digits.second < 2 || length % split.digits.first != 0 ||
      length / split.digits.first != split.digits.second)
    refuse_line(line, "digits are not two whose product is the axis, of " + std::to_string(length));
  while (words >> order) {
    AxisOrder& side = order == "permuted_in" ? split.in : split.out;
    if ((order != "permuted_in" && order != "permuted_out") || side == AxisOrder::permuted ||
        (&side == &split.in && split.out == AxisOrder::permuted))
      refuse_line(line, "'permuted_in', 'permuted_out' or both are expected behind the digits");
    side = AxisOrder::permuted;
  }
  return split;
}

/// "PROBLEM over N ranks [in K pieces] [split ...]".
Program parse_head(std::string_view line) {
  std::size_t const over = line.rfind(" over ");
  if (over == std::string_view::npos) refuse_line(line, "' over N ranks' is missing");
  Program program;
  program.problem = parse_problem(line.substr(0, over));
  std::istringstream rest{std::string(line.substr(over + 6))};
  std::string ranks, word, next, pieces;
  rest >> ranks >> word;
  program.ranks = number(ranks, line, 1 << 24);
  if (program.ranks < 1 || word != "ranks") refuse_line(line, "' over N ranks' is missing");
  if (!(rest >> next)) return program;
  if (next == "in") {
    if (!(rest >> pieces >> word) || word != "pieces")
      refuse_line(line, "' in K pieces' is expected behind the ranks");
    program.pieces = number(pieces, line, 1 << 16);
    if (!(rest >> next)) return program;
  }
  if (next != "split")
    refuse_line(line, "' in K pieces' or ' split AXIS FIRSTxSECOND' is expected behind the ranks");
  program.split = parse_split(rest, program.problem, line);
  program.problem = problem_of_digits(program.problem, program.split->digits);
  return program;
}

std::vector<std::size_t> parse_axes(std::string_view list, std::string_view line) {
  std::vector<std::size_t> axes;
  for (;;) {
    std::size_t const end = list.find(',');
    axes.push_back(std::size_t(number(list.substr(0, end), line, Index(max_rank))));
    if (axes.size() > 1 && axes.back() <= axes[axes.size() - 2]) refuse_line(line, "axes do not ascend");
    if (end == std::string_view::npos) return axes;
    list.remove_prefix(end + 1);
  }
}

/// The dimensions that a cut has.
std::size_t dimensions_of(std::string const& cut) {
  std::string const one = cut.substr(0, cut.find(';'));
  return 1 + std::size_t(std::count_if(one.begin(), one.end(), [](char c) { return c == 'x' || c == ','; }));
}

/// `sizes` of the array, or of one that has an axis as one where the text has so many dimensions.
Stage parse_stage(std::string_view line, std::vector<Index> const& sizes, std::vector<Index> const& of_axis,
                  Index ranks) {
  std::istringstream words{std::string(line)};
  std::string kind, cut, what, list;
  words >> kind >> cut;
  bool const as_one = dimensions_of(cut) == of_axis.size();
  Stage stage{parse_distribution(kind, cut, as_one ? of_axis : sizes, ranks), {}};
  while (words >> what) {
    bool const back = what == "back";
    if ((!back && what != "axes") || !(words >> list) || !stage.back.empty() ||
        (!back && !stage.axes.empty()))
      refuse_line(line, "'axes 0,1', 'back 0,1' or both are expected behind the cut");
    (back ? stage.back : stage.axes) = parse_axes(list, line);
  }
  return stage;
}

}  // namespace

Program parse_program(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line)) refuse_line(text, "there is no text");
  Program program = parse_head(line);
  std::vector<bool> done(program.problem.axes.size(), false);
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    std::vector<Index> const sizes = sizes_after(program.problem, done);
    Problem const whole = whole_problem(program);
    std::vector<bool> const all(whole.axes.size(), !program.stages.empty());
    program.stages.push_back(
        parse_stage(line, sizes, program.split ? sizes_after(whole, all) : sizes, program.ranks));
    auto const mark = [&](std::vector<std::size_t> const& axes, bool value) {
      for (std::size_t const a : axes) {
        if (a >= done.size()) refuse_line(line, "there is no axis " + std::to_string(a));
        done[a] = value;
      }
    };
    mark(program.stages.back().axes, true);
    mark(program.stages.back().back, false);
  }
  check(program);
  return program;
}

Program parse_program(std::string_view text, Problem const& problem, Index ranks) {
  Program program = parse_program(text);
  if (program.is_round_trip())
    throw Error("program", "goes there and back, which a transform does not; give a transform's");
  if (program.ranks != ranks)
    throw Error("program",
                "is for " + std::to_string(program.ranks) + " ranks but there are " + std::to_string(ranks));
  std::string const given = skipper::text(whole_problem(program)),
                    wanted = skipper::text(program_of(problem, ranks, program.stages).problem);
  if (given != wanted) throw Error("program", "is of '" + given + "' but the problem is '" + wanted + "'");
  return program;
}

}  // namespace skipper::distributed
