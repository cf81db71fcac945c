// Sorts the words of a command line.
#include "args.h"

#include <algorithm>
#include <charconv>
#include <cctype>
#include <cmath>

#include "escape.h"

namespace skipper::cli {
namespace {

std::string quoted(std::string const& word) {
  return "'" + escaped(word.substr(0, 60)) + (word.size() > 60 ? "...'" : "'");
}

template <class T>
std::optional<T> number(std::string_view word) {
  T result{};
  auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), result);
  if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return result;
}

// 0.05, and 0 for 0.
std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

// How many bytes "", "B", "k", "KB", "GiB", ... are, in any case; nothing for other words.
std::optional<std::int64_t> unit_bytes(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  if (word.empty() || word == "b") return 1;
  constexpr std::string_view letters = "kmgtpe";
  std::size_t const power = letters.find(word[0]) + 1;
  std::string const rest = word.substr(1);
  if (power == 0 || (!rest.empty() && rest != "b" && rest != "ib")) return std::nullopt;
  std::int64_t bytes = 1;
  for (std::size_t i = 0; i < power; ++i) bytes *= rest == "b" ? 1000 : 1024;
  return bytes;
}

}  // namespace

Args::Args(std::string command, std::vector<std::string> const& words, std::vector<Option> const& options)
    : command_(std::move(command)) {
  bool only_operands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const& word = words[i];
    if (word == "--" && !only_operands) {
      only_operands = true;
      continue;
    }
    if (only_operands || !word.starts_with("--")) {
      if (!only_operands && word.size() > 1 && word[0] == '-')
        refuse(quoted(word) + " is not an option; options have two dashes");
      operands_.push_back(word);
      continue;
    }
    std::size_t const equals = word.find('=');
    std::string const name = word.substr(0, equals);
    auto const option =
        std::find_if(options.begin(), options.end(), [&](Option const& o) { return o.name == name; });
    if (option == options.end()) refuse(quoted(name) + " is not one of its options");
    if (has(name)) refuse(name + " is given twice");
    bool const takes_value = !option->value.empty();
    if (!takes_value && equals != word.npos) refuse(name + " takes no value");
    if (takes_value && equals == word.npos && i + 1 == words.size())
      refuse(name + " needs a value: " + name + " " + option->value);
    options_.emplace_back(name, !takes_value          ? ""
                                : equals != word.npos ? word.substr(equals + 1)
                                                      : words[++i]);
  }
}

void Args::refuse(std::string const& message) const {
  throw BadArgument(command_ + ": " + message + "; see `skipper help " + command_ + "`");
}

void Args::demand_operands(std::size_t least, std::size_t most, std::string const& what) const {
  if (operands_.size() < least) refuse("it needs " + what);
  if (operands_.size() > most) refuse(quoted(operands_[most]) + " is one word too many; it takes " + what);
}

std::optional<std::string> Args::value(std::string const& name) const {
  for (auto const& [given, value] : options_)
    if (given == name) return value;
  return std::nullopt;
}

std::string Args::value_or(std::string const& name, std::string const& other) const {
  return value(name).value_or(other);
}

std::int64_t Args::integer_or(std::string const& name, std::int64_t other, std::int64_t least,
                              std::int64_t most) const {
  std::optional<std::string> const word = value(name);
  if (!word) return other;
  std::optional<std::int64_t> const result = number<std::int64_t>(*word);
  if (!result || *result < least || *result > most)
    refuse(name + " is " + quoted(*word) + " but must be a whole number from " + std::to_string(least) +
           " to " + std::to_string(most));
  return *result;
}

std::int64_t Args::bytes_or(std::string const& name, std::int64_t other) const {
  std::optional<std::string> const word = value(name);
  if (!word) return other;
  std::size_t const end = std::min(word->find_first_not_of("0123456789"), word->size());
  std::optional<std::int64_t> const count = number<std::int64_t>(word->substr(0, end)),
                                    unit = unit_bytes(word->substr(end));
  if (!count || !unit || *count < 1 || *count > INT64_MAX / *unit)
    refuse(name + " is " + quoted(*word) +
           " but must be a number of bytes such as 500000, 512M, 4G (= 4GiB) or 4GB");
  return *count * *unit;
}

double Args::number_or(std::string const& name, double other, double least) const {
  std::optional<std::string> const word = value(name);
  if (!word) return other;
  std::optional<double> const result = number<double>(*word);
  if (!result || !std::isfinite(*result) || *result < least)
    refuse(name + " is " + quoted(*word) + " but must be a number of at least " + shortest(least));
  return *result;
}

std::string Args::choice_or(std::string const& name, std::string const& other,
                            std::vector<std::string> const& choices) const {
  std::string const word = value_or(name, other);
  if (!has(name) || std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
  std::string list;
  for (std::string const& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  refuse(name + " is " + quoted(word) + " but must be one of " + list);
}

void Args::demand_apart(std::string const& name, std::string const& other) const {
  if (has(name) && has(other)) refuse(name + " and " + other + " exclude each other; give one of them");
}

std::vector<Option> together(std::vector<std::vector<Option>> const& groups) {
  std::vector<Option> all;
  for (std::vector<Option> const& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
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
    std::optional<std::int64_t> const value = number<std::int64_t>(word);
    if (!value) throw BadArgument(quoted(text) + " is not " + what);
    result.push_back(*value);
  }
  return result;
}

}  // namespace skipper::cli
