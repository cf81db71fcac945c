// Copies an array between two orders of its dimensions: that of a file and that of a problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skipper::cli {

// Elements of `element_bytes` bytes; strides are in elements, on either side, and neither side shares places.
void copy_strided(std::vector<std::int64_t> const& sizes, std::size_t element_bytes, std::byte const* from,
                  std::vector<std::int64_t> const& from_strides, std::byte* to,
                  std::vector<std::int64_t> const& to_strides);

}  // namespace skipper::cli
