#include "support/source_dir.h"

namespace skipper::testing {

std::filesystem::path source_dir() { return SKIPPER_SOURCE_DIR; }

}  // namespace skipper::testing
