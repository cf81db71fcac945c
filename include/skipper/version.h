/* The version of Skipper: macros for #if in C and C++, the same as numbers of C++, and that of the library that runs.
 * CMakeLists.txt reads the three numbers from here. */
#ifndef SKIPPER_VERSION_H
#define SKIPPER_VERSION_H

#define SKIPPER_VERSION_MAJOR 0
#define SKIPPER_VERSION_MINOR 1
#define SKIPPER_VERSION_PATCH 0
/* One number that grows from version to version: #if SKIPPER_VERSION >= 100 is 0.1.0 and newer. */
#define SKIPPER_VERSION (SKIPPER_VERSION_MAJOR * 10000 + SKIPPER_VERSION_MINOR * 100 + SKIPPER_VERSION_PATCH)

#ifdef __cplusplus

#include <string>

namespace skipper {

inline constexpr int version_major = SKIPPER_VERSION_MAJOR;
inline constexpr int version_minor = SKIPPER_VERSION_MINOR;
inline constexpr int version_patch = SKIPPER_VERSION_PATCH;

// "0.1.0": that of the library that runs, which a program compiled against other headers may want to compare.
std::string version();

}  // namespace skipper

#endif

#endif
