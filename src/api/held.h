// The state behind a public handle, which is gone when the handle was moved from.
#pragma once

#include <skipper/error.h>

#include <memory>

namespace skipper {

// Apart, so that a call of nanoseconds pays for nothing of it but a test.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_moved(char const* argument) {
  throw Error(argument,
              "was moved from and holds nothing; assign another one to it, or use what it was moved to");
}

template <class State>
State const& held(std::shared_ptr<State const> const& state, char const* argument) {
  if (!state) refuse_moved(argument);
  return *state;
}

}  // namespace skipper
