// See args.h.
#include "args.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/byte_count.h"
#include "escape.h"
#include "format.h"

namespace skipper::cli {
namespace {

template <class T>
std::optional<T> parsed(std::string_view word) {
  T result{};
  auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), result);
  if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return result;
}

std::int64_t bytes(std::string const& name, std::string const& word) {
  std::optional<std::int64_t> const count = byte_count(word);
  if (!count || *count < 1)
    refuse(formatted("{} is {} but must be a number of bytes such as 500000, 512M, 4G (= 4GiB) or 4GB", name,
                     in_quotes(word)));
  return *count;
}

std::int64_t integer(std::string const& name, std::string const& word, Limits limits) {
  std::optional<std::int64_t> const result = parsed<std::int64_t>(word);
  if (!result || *result < limits.least || *result > limits.most)
    refuse(formatted("{} is {} but must be a whole number from {} to {}", name, in_quotes(word), limits.least,
                     limits.most));
  return *result;
}

std::string choice(std::string const& name, std::string const& word,
                   std::vector<std::string> const& choices) {
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
  refuse(formatted("{} is {} but must be one of {}", name, in_quotes(word), joined(choices, ", ")));
}

// An option whose word `read` takes.
template <class Read>
void add(CLI::App& command, std::string const& name, std::string const& value, std::string const& help,
         Read read) {
  command.add_option_function<std::string>(name, read, help)->type_name(value)->option_text(value);
}

}  // namespace

void refuse(std::string const& message) { throw BadArgument(message); }

CLI::App& add_command(CLI::App& program, std::string const& name, std::string const& summary,
                      std::string const& details) {
  CLI::App& command = *program.add_subcommand(name, summary);
  command.set_help_flag("-h,--help", "how it is used");
  if (!details.empty()) command.footer(details);
  return command;
}

void add_operand(CLI::App& command, std::string const& name, std::string& to, std::string const& help) {
  command.add_option(name, to, help)->required();
}

void add_operands(CLI::App& command, std::string const& name, std::vector<std::string>& to, std::size_t least,
                  std::string const& help) {
  CLI::Option* const option = command.add_option(name, to, help);
  if (least > 0) option->required()->expected(int(least), 1 << 20);
}

void add_flag(CLI::App& command, std::string const& name, bool& to, std::string const& help) {
  command.add_flag(name, to, help)->disable_flag_override();
}

void add_text(CLI::App& command, std::string const& name, std::string const& value, std::string& to,
              std::string const& help) {
  add(command, name, value, help, [&to](std::string const& word) { to = word; });
}
void add_text(CLI::App& command, std::string const& name, std::string const& value,
              std::optional<std::string>& to, std::string const& help) {
  add(command, name, value, help, [&to](std::string const& word) { to = word; });
}

void add_list(CLI::App& command, std::string const& name, std::vector<std::string>& to,
              std::string const& help) {
  add(command, name, "LIST", help, [&to](std::string const& word) { to = split(word, ','); });
}

void add_integer(CLI::App& command, std::string const& name, std::string const& value, int& to, Limits limits,
                 std::string const& help) {
  add(command, name, value, help,
      [&to, name, limits](std::string const& word) { to = int(integer(name, word, limits)); });
}
void add_integer(CLI::App& command, std::string const& name, std::string const& value, std::int64_t& to,
                 Limits limits, std::string const& help) {
  add(command, name, value, help,
      [&to, name, limits](std::string const& word) { to = integer(name, word, limits); });
}
void add_integer(CLI::App& command, std::string const& name, std::string const& value, std::optional<int>& to,
                 Limits limits, std::string const& help) {
  add(command, name, value, help,
      [&to, name, limits](std::string const& word) { to = int(integer(name, word, limits)); });
}

void add_integers(CLI::App& command, std::string const& name, std::string const& value, char separator,
                  std::vector<std::int64_t>& to, std::string const& what, std::string const& help) {
  add(command, name, value, help, [&to, name, separator, what](std::string const& word) {
    try {
      to = integers(word, separator, what);
    } catch (BadArgument const& e) {
      refuse(name + " " + e.what());
    }
  });
}

void add_number(CLI::App& command, std::string const& name, std::string const& value, double& to,
                double least, std::string const& help) {
  add(command, name, value, help, [&to, name, least](std::string const& word) {
    std::optional<double> const result = parsed<double>(word);
    if (!result || !std::isfinite(*result) || *result < least)
      refuse(formatted("{} is {} but must be a number{}", name, in_quotes(word),
                       std::isfinite(least) ? formatted(" of at least {}", least) : ""));
    to = *result;
  });
}

void add_bytes(CLI::App& command, std::string const& name, std::optional<std::int64_t>& to,
               std::string const& help) {
  add(command, name, "BYTES", help, [&to, name](std::string const& word) { to = bytes(name, word); });
}

void add_choice(CLI::App& command, std::string const& name, std::string const& value, std::string& to,
                std::vector<std::string> const& choices, std::string const& help) {
  add(command, name, value, help,
      [&to, name, choices](std::string const& word) { to = choice(name, word, choices); });
}
void add_choice(CLI::App& command, std::string const& name, std::string const& value,
                std::optional<std::string>& to, std::vector<std::string> const& choices,
                std::string const& help) {
  add(command, name, value, help,
      [&to, name, choices](std::string const& word) { to = choice(name, word, choices); });
}

void exclude(CLI::App& command, std::vector<std::string> const& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      command.get_option(names[i])->excludes(command.get_option(names[j]));
}

void need(CLI::App& command, std::vector<std::string> const& names, std::string const& other) {
  for (std::string const& name : names) command.get_option(name)->needs(command.get_option(other));
}

bool given(CLI::App const& command, std::string const& name) { return command.count(name) > 0; }

void demand_absent(CLI::App const& command, std::vector<std::string> const& names, std::string const& why) {
  for (std::string const& name : names)
    if (given(command, name)) refuse(formatted("{} {}; leave it out", name, why));
}

std::string in_quotes(std::string const& word) {
  return "'" + escaped(word.substr(0, 60)) + (word.size() > 60 ? "...'" : "'");
}

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    std::size_t const end = std::min(text.find(separator, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::int64_t> integers(std::string const& text, char separator, std::string const& what) {
  std::vector<std::int64_t> result;
  for (std::string const& word : split(text, separator)) {
    std::optional<std::int64_t> const value = parsed<std::int64_t>(word);
    if (!value) refuse(formatted("{} is not {}", in_quotes(text), what));
    result.push_back(*value);
  }
  return result;
}

double number(std::string const& option, std::string const& word) {
  std::optional<double> const value = parsed<double>(word);
  if (!value || !std::isfinite(*value)) refuse(formatted("{}: {} is not a number", option, in_quotes(word)));
  return *value;
}

}  // namespace skipper::cli
