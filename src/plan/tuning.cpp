// See tuning.h.
#include "plan/tuning.h"

#include <skipper/error.h>
#include <skipper/version.h>

#include <algorithm>
#include <utility>

namespace skipper {
namespace {

constexpr std::string_view first_line = "skipper tuning 1";

std::string this_version() {
  return std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
         std::to_string(version_patch);
}

std::string_view next_line(std::string_view& text) {
  std::size_t const end = std::min(text.find('\n'), text.size());
  std::string_view const line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Up to a blank line, which is skipped.
std::string_view next_paragraph(std::string_view& text) {
  std::string_view const from = text;
  std::size_t size = 0;
  while (!text.empty()) {
    std::string_view const line = next_line(text);
    if (line.empty()) break;
    size = from.size() - text.size();
  }
  return from.substr(0, size);
}

auto position(std::vector<Program> const& programs, Problem const& problem) {
  return std::find_if(programs.begin(), programs.end(),
                      [&](Program const& p) { return p.problem == problem; });
}

}  // namespace

Tuning empty_tuning(Machine const& machine) { return {this_version(), machine, {}}; }

std::string text(Tuning const& tuning) {
  std::string out =
      std::string(first_line) + "\nversion " + tuning.version + "\n" + text(tuning.machine) + "\n";
  for (Program const& program : tuning.programs) out += "\n" + text(program);
  return out;
}

Tuning parse_head(std::string_view& all) {
  auto const fail = [](std::string const& why) -> void { throw Error("tuning", why + "; tune again"); };
  Tuning tuning;
  if (next_line(all) != first_line) fail("the first line is not '" + std::string(first_line) + "'");
  std::string_view const version = next_line(all);
  if (!version.starts_with("version ")) fail("the second line does not give the version");
  tuning.version = version.substr(8);
  tuning.machine = machine(next_line(all));
  return tuning;
}

Tuning parse_tuning(std::string_view all) {
  Tuning tuning = parse_head(all);
  while (!all.empty())
    if (std::string_view const program = next_paragraph(all); !program.empty())
      tuning.programs.push_back(parse_program(program));
  return tuning;
}

std::optional<Program> find_program(std::string_view programs, Problem const& problem) {
  std::string const wanted = text(problem) + "\n";
  while (!programs.empty())
    if (std::string_view const program = next_paragraph(programs); program.starts_with(wanted))
      return parse_program(program);
  return std::nullopt;
}

std::string mismatch(Tuning const& tuning, Machine const& machine) {
  if (tuning.version != this_version())
    return "was made by version " + tuning.version + " and this is " + this_version();
  Machine theirs = tuning.machine, ours = machine;
  theirs.memory_bytes = ours.memory_bytes = 0;
  if (theirs == ours) return "";
  return theirs.name == ours.name ? "is for a " + theirs.name + " with other facts than this one has"
                                  : "is for " + theirs.name + " and this is " + ours.name;
}

Program const* find(Tuning const& tuning, Problem const& problem) {
  auto const found = position(tuning.programs, problem);
  return found == tuning.programs.end() ? nullptr : &*found;
}

void put(Tuning& tuning, Program program) {
  auto const found = position(tuning.programs, program.problem);
  if (found == tuning.programs.end())
    tuning.programs.push_back(std::move(program));
  else
    tuning.programs[std::size_t(found - tuning.programs.begin())] = std::move(program);
}

}  // namespace skipper
