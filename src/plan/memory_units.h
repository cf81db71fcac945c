// The units in which a GPU's memory works, and those of sizes in bytes.
#pragma once

#include "base/index.h"

namespace skipper {

inline constexpr Index kb = 1024, mb = 1024 * kb;

inline constexpr int warp = 32;            // threads that load and store together
inline constexpr Index bank_bytes = 128;   // what shared memory gives a warp at once: 32 banks of 4 bytes
inline constexpr Index sector_bytes = 32;  // the least that device memory moves
inline constexpr Index l2_line_bytes = 128;
inline constexpr Index page_bytes = 2 * mb;

}  // namespace skipper
