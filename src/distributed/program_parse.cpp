// The text of a distributed program, read back (program.h).
#include <charconv>
#include <sstream>

#include "distributed/program.h"

namespace skipper::distributed {
namespace {

[[noreturn]] void refuse(std::string_view line, std::string const& why) {
  throw Error("program", "in '" + std::string(line.substr(0, 80)) + "' " + why +
                             "; give what describe() of a distributed plan prints");
}

Index number(std::string_view word, std::string_view line, Index most) {
  Index value = 0;
  auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || value < 0 || value > most)
    refuse(line,
           "'" + std::string(word.substr(0, 40)) + "' is not a number from 0 to " + std::to_string(most));
  return value;
}

/// "PROBLEM over N ranks [in K pieces]".
Program parse_head(std::string_view line) {
  std::size_t const over = line.rfind(" over ");
  if (over == std::string_view::npos) refuse(line, "' over N ranks' is missing");
  Program program;
  program.problem = parse_problem(line.substr(0, over));
  std::istringstream rest{std::string(line.substr(over + 6))};
  std::string ranks, word, in, pieces, more;
  rest >> ranks >> word;
  program.ranks = number(ranks, line, 1 << 24);
  if (program.ranks < 1 || word != "ranks") refuse(line, "' over N ranks' is missing");
  if (rest >> in) {
    if (in != "in" || !(rest >> pieces >> word) || word != "pieces" || rest >> more)
      refuse(line, "' in K pieces' is expected behind the ranks");
    program.pieces = number(pieces, line, 1 << 16);
  }
  return program;
}

std::vector<std::size_t> parse_axes(std::string_view list, std::string_view line) {
  std::vector<std::size_t> axes;
  for (;;) {
    std::size_t const end = list.find(',');
    axes.push_back(std::size_t(number(list.substr(0, end), line, Index(max_rank))));
    if (axes.size() > 1 && axes.back() <= axes[axes.size() - 2]) refuse(line, "axes do not ascend");
    if (end == std::string_view::npos) return axes;
    list.remove_prefix(end + 1);
  }
}

Stage parse_stage(std::string_view line, std::vector<Index> const& sizes, Index ranks) {
  std::istringstream words{std::string(line)};
  std::string kind, cut, what, list;
  words >> kind >> cut;
  Stage stage{parse_distribution(kind, cut, sizes, ranks), {}};
  while (words >> what) {
    bool const back = what == "back";
    if ((!back && what != "axes") || !(words >> list) || !stage.back.empty() ||
        (!back && !stage.axes.empty()))
      refuse(line, "'axes 0,1', 'back 0,1' or both are expected behind the cut");
    (back ? stage.back : stage.axes) = parse_axes(list, line);
  }
  return stage;
}

}  // namespace

Program parse_program(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line)) refuse(text, "there is no text");
  Program program = parse_head(line);
  std::vector<bool> done(program.problem.axes.size(), false);
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    program.stages.push_back(parse_stage(line, sizes_after(program.problem, done), program.ranks));
    auto const mark = [&](std::vector<std::size_t> const& axes, bool value) {
      for (std::size_t const a : axes) {
        if (a >= done.size()) refuse(line, "there is no axis " + std::to_string(a));
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
  std::string const given = skipper::text(program.problem),
                    wanted = skipper::text(program_of(problem, ranks, program.stages).problem);
  if (given != wanted) throw Error("program", "is of '" + given + "' but the problem is '" + wanted + "'");
  return program;
}

}  // namespace skipper::distributed
