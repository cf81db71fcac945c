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

/// Without a fraction: bytes that may be more than 63 bits count.
inline std::string whole_number(double value) {
  char digits[400];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 0).ptr};
}

}  // namespace skipper
