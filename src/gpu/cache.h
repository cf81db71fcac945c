// Compiled kernels on disk. A file is named after a hash of its key and holds the key itself, so a collision or a
// damaged file is noticed and compiled anew; it is written under another name and renamed, so many processes may
// share the folder. SKIPPER_CACHE names the folder (empty: no cache); its size is bounded.
#pragma once

#include <optional>
#include <string>

#include "gpu/jit.h"

namespace skipper::gpu {

std::optional<Kernel> fetch(std::string const& key);
void keep(std::string const& key, Kernel const& kernel);  // quietly does nothing where it cannot

/// Where the cache is, or empty where there is none.
std::string cache_folder();

inline constexpr std::size_t cache_bytes = std::size_t(256) << 20;

}  // namespace skipper::gpu
