// Text of users as a terminal or a log may get it: names of files, arguments and variables of the environment that messages quote
// cannot move the cursor, set colours, end a line or turn the direction of what stands after them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skipper {

// The bytes of the character at the beginning of a text: 1 to 4, or 0 where it is no UTF-8.
inline std::size_t character_bytes(std::string_view text) {
  auto const byte_at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  unsigned const first = byte_at(0), second = byte_at(1);
  std::size_t const bytes = text.empty()                    ? 0
                            : first < 0x80                  ? 1
                            : first >= 0xc2 && first < 0xe0 ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte_at(i) & 0xc0) != 0x80) return 0;
  // Longer than need be, halves of pairs of UTF-16, and beyond the last character.
  bool const wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : bytes;
}

// Control characters, those that end lines or turn the direction of text (U+202E and the like), and bytes that are no
// UTF-8, as \x1b; all else as it is, and so what is in `kept`.
inline std::string visible(std::string_view text, std::string_view kept = "\n\t") {
  constexpr char const* digits = "0123456789abcdef";
  auto const obeyed = [](std::string_view c) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(c[i]); };
    if (c.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
    if (c.size() == 2) return (byte(0) == 0xc2 && byte(1) < 0xa0) || c == "\xd8\x9c";  // C1; U+061C
    if (c.size() != 3 || byte(0) != 0xe2) return false;
    unsigned const low = (byte(1) & 63u) << 6 | (byte(2) & 63u);  // of U+2000
    return low == 0x0e || low == 0x0f || (low >= 0x28 && low <= 0x2e) || (low >= 0x66 && low <= 0x69);
  };
  std::string result;
  while (!text.empty()) {
    std::size_t const valid = character_bytes(text), bytes = valid > 0 ? valid : 1;
    std::string_view const character = text.substr(0, bytes);
    if (kept.find(character) != kept.npos || (valid > 0 && !obeyed(character)))
      result += character;
    else
      for (char const c : character) {
        auto const byte = static_cast<unsigned char>(c);
        result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace skipper
