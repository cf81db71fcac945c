// The version of NVRTC, without opening its library: that takes longer than all else that a plan whose kernels are cached has
// to do. The version is noted in the cache, and the note holds as long as the file is the same.
#pragma once

#include <optional>
#include <string>

namespace skipper::gpu {

/// The version of NVRTC, as nvrtc_version() gives it, from the note where there is one; empty where there is no NVRTC.
std::string compiler_version();

/// Notes that the library at the path has this version, and reads that back: nothing where the file has changed since,
/// or where other variables say where to look for it.
void note_compiler(std::string const& path, std::string const& version);
std::optional<std::string> noted_compiler();

}  // namespace skipper::gpu
