// Numbers of bytes as people write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/index.h"

namespace skipper {

/// As GNU's tools read them: "500000", "512M", "4G" and "4GiB" (powers of 1024), "4GB" (of 1000), in either case. Nothing for what
/// is written otherwise, is negative or does not fit.
inline std::optional<Index> byte_count(std::string_view text) {
  Index count = 0, bytes = 1;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0) return std::nullopt;
  std::string unit(text.substr(std::size_t(end - text.data())));
  for (char& c : unit)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  if (!unit.empty() && unit != "b") {
    std::size_t const power = std::string_view("kmgtpe").find(unit[0]) + 1;
    std::string const rest = unit.substr(1);
    if (power == 0 || (!rest.empty() && rest != "b" && rest != "ib")) return std::nullopt;
    for (std::size_t i = 0; i < power; ++i) bytes *= rest == "b" ? 1000 : 1024;
  }
  return multiply(count, bytes);
}

}  // namespace skipper
