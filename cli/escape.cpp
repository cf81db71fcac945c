// See escape.h.
#include "escape.h"

#include <algorithm>

namespace skipper::cli {

std::string escaped(std::string_view text) { return visible(text, ""); }

std::string escaped_lines(std::string_view text) { return visible(text); }

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    std::size_t const bytes = std::max<std::size_t>(1, character_bytes(text)), wide = bytes > 1 ? 2 : 1;
    if (wide > columns) break;
    columns -= wide;
    out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace skipper::cli
