// The one file that compiles fmt, from its headers.
#define FMT_HEADER_ONLY
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format.h"

namespace skipper::cli {

std::string formatted_by(fmt::string_view pattern, fmt::format_args arguments) {
  return fmt::vformat(pattern, arguments);
}

void print_by(FILE* to, fmt::string_view pattern, fmt::format_args arguments) {
  std::string const text = fmt::vformat(pattern, arguments);
  std::fwrite(text.data(), 1, text.size(), to);
}

std::string joined(std::vector<std::string> const& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace skipper::cli
