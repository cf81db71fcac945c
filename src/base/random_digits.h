// What the names of unfinished files end with, so that nobody can have made a file or a link of that name before.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace skipper {

inline constexpr std::size_t random_digit_count = 16;

inline bool are_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// Sixteen hexadecimal digits from the system's source of random numbers.
inline std::string random_digits() {
  std::random_device source;
  std::string digits(random_digit_count, '0');
  for (std::size_t i = 0; i < digits.size();)
    for (unsigned word = source(), n = 0; n < 8; ++n, word >>= 4) digits[i++] = "0123456789abcdef"[word & 15];
  return digits;
}

}  // namespace skipper
