// The version of Skipper, as numbers for the preprocessor-free reader and as text for messages and files.
#pragma once

#include <string>

namespace skipper {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

// "0.1.0": that of the library that runs, which a program compiled against other headers may want to compare.
std::string version();

}  // namespace skipper
