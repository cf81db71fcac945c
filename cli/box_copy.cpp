// Dimensions from the slowest of the target to its fastest, so that it is written in order.
#include "box_copy.h"

#include <algorithm>
#include <cstring>

namespace skipper::cli {
namespace {

struct CopyDim {
  std::int64_t size, from, to;  // strides in bytes
};

template <std::size_t Bytes>
void copy_row(CopyDim const& d, std::byte const* from, std::byte* to) {
  for (std::int64_t i = 0; i < d.size; ++i) std::memcpy(to + i * d.to, from + i * d.from, Bytes);
}

void copy_innermost(CopyDim const& d, std::size_t bytes, std::byte const* from, std::byte* to) {
  if (d.from == std::int64_t(bytes) && d.to == d.from)
    std::memcpy(to, from, std::size_t(d.size) * bytes);
  else if (bytes == 4)
    copy_row<4>(d, from, to);
  else if (bytes == 8)
    copy_row<8>(d, from, to);
  else if (bytes == 16)
    copy_row<16>(d, from, to);
  else
    for (std::int64_t i = 0; i < d.size; ++i) std::memcpy(to + i * d.to, from + i * d.from, bytes);
}

void copy_dims(std::vector<CopyDim> const& dims, std::size_t at, std::size_t bytes, std::byte const* from,
               std::byte* to) {
  if (at + 1 == dims.size()) return copy_innermost(dims[at], bytes, from, to);
  for (std::int64_t i = 0; i < dims[at].size; ++i)
    copy_dims(dims, at + 1, bytes, from + i * dims[at].from, to + i * dims[at].to);
}

}  // namespace

void copy_strided(std::vector<std::int64_t> const& sizes, std::size_t element_bytes, std::byte const* from,
                  std::vector<std::int64_t> const& from_strides, std::byte* to,
                  std::vector<std::int64_t> const& to_strides) {
  std::vector<CopyDim> dims;
  std::int64_t const bytes = std::int64_t(element_bytes);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return;
    dims.push_back({sizes[d], from_strides[d] * bytes, to_strides[d] * bytes});
  }
  std::stable_sort(dims.begin(), dims.end(), [](CopyDim const& a, CopyDim const& b) { return a.to > b.to; });
  if (!dims.empty()) copy_dims(dims, 0, element_bytes, from, to);
}

}  // namespace skipper::cli
