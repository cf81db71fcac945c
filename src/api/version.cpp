// The version as text, from the numbers that users see.
#include <skipper/version.h>

namespace skipper {

std::string version() {
  return std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
         std::to_string(version_patch);
}

}  // namespace skipper
