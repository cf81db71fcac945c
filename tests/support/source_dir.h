// Where the repository lies, for tests that read its own files. Only one object knows the path, so that the others are
// the same in every clone and a compiler cache can share them.
#pragma once

#include <filesystem>

namespace skipper::testing {

std::filesystem::path source_dir();

}  // namespace skipper::testing
