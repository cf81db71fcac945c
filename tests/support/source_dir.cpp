#include "support/source_dir.h"

namespace skipper::testing {

std::filesystem::path source_dir() {
  // Tests that were built on another machine are run from the repository's root.
  std::filesystem::path const built = SKIPPER_SOURCE_DIR;
  return exists(built / "tests") ? built : std::filesystem::current_path();
}

}  // namespace skipper::testing
