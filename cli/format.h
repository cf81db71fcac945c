// fmt, compiled once (format.cpp): formatted() is fmt::format, print() is fmt::print, and including them costs no more than
// the checks of their arguments.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace skipper::cli {

std::string formatted_by(fmt::string_view pattern, fmt::format_args arguments);
void print_by(FILE* to, fmt::string_view pattern, fmt::format_args arguments);

template <class... T>
std::string formatted(fmt::format_string<T...> pattern, T&&... values) {
  return formatted_by(pattern, fmt::make_format_args(values...));
}

// What cannot be written is found when the stream is flushed (command.cpp).
template <class... T>
void print(FILE* to, fmt::format_string<T...> pattern, T&&... values) {
  print_by(to, pattern, fmt::make_format_args(values...));
}
template <class... T>
void print(fmt::format_string<T...> pattern, T&&... values) {
  print_by(stdout, pattern, fmt::make_format_args(values...));
}

std::string joined(std::vector<std::string> const& words, std::string_view separator);

}  // namespace skipper::cli
