// Enumerators can arrive as casts from another language's integers.
#pragma once

#include <skipper/error.h>

#include <string>

namespace skipper {

/// Throws Error unless the value is one of the enumerators, which count from 0 to `last`.
template <class Enum>
void check_enum(std::string const& argument, Enum value, Enum last) {
  int const v = static_cast<int>(value);
  if (v < 0 || v > static_cast<int>(last))
    throw Error(argument, "has no enumerator of value " + std::to_string(v) + "; use 0 to " +
                              std::to_string(static_cast<int>(last)));
}

}  // namespace skipper
