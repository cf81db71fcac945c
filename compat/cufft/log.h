// What SKIPPER_LOG=1 has written to the standard error, a line a call. Without it nothing is ever printed.
#pragma once

namespace skipper::cufft {

bool logs() noexcept;

/// As printf, behind "skipper cufft: ".
[[gnu::cold, gnu::format(printf, 1, 2)]] void log(char const* format, ...) noexcept;

}  // namespace skipper::cufft
