#pragma once
// How much of a long test is run. Under sanitizers the tests are several times slower: SKIPPER_QUICK=1 asks them for a
// smaller share of the same. SKIPPER_LONG=1 asks for all of it, where a plain run takes a sample.
#include <cstdlib>

namespace skipper::testing {

inline bool is_asked(char const* variable) {
  char const* const value = std::getenv(variable);
  return value && *value && *value != '0';
}

inline bool quick() { return is_asked("SKIPPER_QUICK"); }
inline bool thorough() { return is_asked("SKIPPER_LONG"); }

}  // namespace skipper::testing
