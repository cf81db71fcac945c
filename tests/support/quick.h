#pragma once
// Under sanitizers the tests are several times slower: SKIPPER_QUICK=1 asks them for a smaller share of the same.
#include <cstdlib>

namespace skipper::testing {

inline bool quick() {
  char const* const value = std::getenv("SKIPPER_QUICK");
  return value && *value && *value != '0';
}

}  // namespace skipper::testing
