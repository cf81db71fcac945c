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

// fmt 9 converts a checked pattern by itself, later versions by get().
template <class Pattern>
fmt::string_view view_of(Pattern const& pattern) {
  if constexpr (requires { pattern.get(); })
    return pattern.get();
  else
    return pattern;
}

template <class... T>
std::string formatted(fmt::format_string<T...> pattern, T&&... values) {
  return formatted_by(view_of(pattern), fmt::make_format_args(values...));
}

// What cannot be written is found when the stream is flushed (command.cpp).
template <class... T>
void print(FILE* to, fmt::format_string<T...> pattern, T&&... values) {
  print_by(to, view_of(pattern), fmt::make_format_args(values...));
}
template <class... T>
void print(fmt::format_string<T...> pattern, T&&... values) {
  print_by(stdout, view_of(pattern), fmt::make_format_args(values...));
}

std::string joined(std::vector<std::string> const& words, std::string_view separator);

}  // namespace skipper::cli
