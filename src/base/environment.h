// Variables of the environment, as a library may read them. A program that runs with more rights than who started it
// (setuid, setgid, capabilities) must not open libraries or folders that this person names, so there no variable is set.
#pragma once

#include <cstdlib>
#include <string>

namespace skipper {

/// The value of a variable, empty where it is not set.
inline std::string environment(char const* variable) {
  char const* const value = ::secure_getenv(variable);
  return value ? value : "";
}

/// Whether a variable is set, be it to nothing.
inline bool in_environment(char const* variable) { return ::secure_getenv(variable) != nullptr; }

/// Whether a variable that switches something on does: set, and to something that does not begin with 0.
inline bool switched_on(char const* variable) {
  std::string const value = environment(variable);
  return !value.empty() && value[0] != '0';
}

}  // namespace skipper
