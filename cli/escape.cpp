// See escape.h.
#include "escape.h"

#include <algorithm>

namespace skipper::cli {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
}

std::string escaped_but(std::string_view text, std::string_view kept) {
  constexpr char const* hex = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    std::size_t const valid = character_bytes(text);
    unsigned const byte = byte_at(text, 0);
    bool const control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && byte_at(text, 1) < 0xa0);
    if (kept.find(text[0]) != kept.npos || (valid > 0 && !control)) {
      out += text.substr(0, std::max<std::size_t>(valid, 1));
      text.remove_prefix(std::max<std::size_t>(valid, 1));
    } else {
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::size_t character_bytes(std::string_view text) {
  unsigned const first = byte_at(text, 0);
  std::size_t const bytes = text.empty()                    ? 0
                            : first < 0x80                  ? 1
                            : first >= 0xc2 && first < 0xe0 ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  // Longer than need be, halves of pairs of UTF-16, and beyond the last character.
  unsigned const second = byte_at(text, 1);
  bool const wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : bytes;
}

std::string escaped(std::string_view text) { return escaped_but(text, ""); }

std::string escaped_lines(std::string_view text) { return escaped_but(text, "\n\t"); }

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
