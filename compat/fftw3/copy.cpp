// See copy.h. The innermost loops go over what is fastest in the output and what is fastest in the input, in tiles, so
// that a transposition uses whole lines of the cache on both sides.
#include "copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace skipper::fftw3 {
namespace {

constexpr Index tile = 16;

Index magnitude(Index stride) { return stride < 0 ? -stride : stride; }

/// Takes out the dimension whose stride is the smallest.
Dim take_fastest(std::vector<Dim>& dims, Index Dim::*stride) {
  if (dims.empty()) return {1, 0, 0};
  auto const found = std::min_element(dims.begin(), dims.end(), [&](Dim const& a, Dim const& b) {
    return magnitude(a.*stride) < magnitude(b.*stride);
  });
  Dim const dim = *found;
  dims.erase(found);
  return dim;
}

/// Slowest first, with neighbours that address memory as one merged.
std::vector<Dim> merged(std::vector<Dim> dims) {
  std::erase_if(dims, [](Dim const& dim) { return dim.size == 1; });
  std::stable_sort(dims.begin(), dims.end(), [](Dim const& a, Dim const& b) {
    return magnitude(a.out_stride) > magnitude(b.out_stride);
  });
  std::vector<Dim> result;
  for (Dim const& dim : dims) {
    if (!result.empty() && result.back().in_stride == dim.in_stride * dim.size &&
        result.back().out_stride == dim.out_stride * dim.size)
      result.back() = {result.back().size * dim.size, dim.in_stride, dim.out_stride};
    else
      result.push_back(dim);
  }
  return result;
}

}  // namespace

Copy::Copy(std::vector<Dim> dims) {
  dims = merged(std::move(dims));
  auto const pair = std::find_if(dims.begin(), dims.end(), [](Dim const& dim) {
    return dim.size == 2 && (dim.in_stride == 1 || dim.out_stride == 1);
  });
  if (pair != dims.end()) {
    pair_ = *pair;
    dims.erase(pair);
  }
  columns_ = take_fastest(dims, &Dim::out_stride);
  rows_ = take_fastest(dims, &Dim::in_stride);
  outer_ = std::move(dims);
}

void Copy::run(Real const* from, Real* to) const { run_level(0, from, to); }

void Copy::run_level(std::size_t level, Real const* from, Real* to) const {
  if (level == outer_.size()) return run_plane(from, to);
  Dim const& dim = outer_[level];
  for (Index i = 0; i < dim.size; ++i)
    run_level(level + 1, from + i * dim.in_stride, to + i * dim.out_stride);
}

void Copy::run_plane(Real const* from, Real* to) const {
  if (pair_.size == 1 && columns_.in_stride == 1 && columns_.out_stride == 1) {
    for (Index row = 0; row < rows_.size; ++row)
      std::memcpy(to + row * rows_.out_stride, from + row * rows_.in_stride,
                  sizeof(Real) * static_cast<std::size_t>(columns_.size));
    return;
  }
  for (Index first = 0; first < rows_.size; first += tile) {
    Index const end = std::min(first + tile, rows_.size);
    for (Index column = 0; column < columns_.size; ++column) {
      Real const* const f = from + column * columns_.in_stride;
      Real* const t = to + column * columns_.out_stride;
      if (pair_.size == 1) {
        for (Index row = first; row < end; ++row) t[row * rows_.out_stride] = f[row * rows_.in_stride];
      } else {
        for (Index row = first; row < end; ++row) {
          t[row * rows_.out_stride] = f[row * rows_.in_stride];
          t[row * rows_.out_stride + pair_.out_stride] = f[row * rows_.in_stride + pair_.in_stride];
        }
      }
    }
  }
}

}  // namespace skipper::fftw3
