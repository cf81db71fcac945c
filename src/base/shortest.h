// Numbers in messages and texts.
#pragma once

#include <charconv>
#include <string>

namespace skipper {

/// The shortest text that reads back as the same number.
inline std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

/// Six digits, for people.
inline std::string rounded(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6).ptr};
}

}  // namespace skipper
