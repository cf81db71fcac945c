// See log.h.
#include "log.h"

#include <cstdarg>
#include <cstdio>

#include "base/environment.h"

namespace skipper::cufft {

bool logs() noexcept {
  static bool const asked = switched_on("SKIPPER_LOG");
  return asked;
}

void log(char const* format, ...) noexcept {
  if (!logs()) return;
  char line[2048];  // one write a line, so that those of several threads do not mix
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "skipper cufft: %s\n", line);
}

}  // namespace skipper::cufft
