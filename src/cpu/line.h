// Transforms of single lines, or of neighbouring columns side by side, as far as one thread carries them alone. A
// tile is what one call works on: [lines][n][columns] complex numbers with free strides between lines and points.
#pragma once

#include <skipper/problem.h>

#include <memory>
#include <string>
#include <vector>

#include "cpu/kernels.h"

namespace skipper::cpu {

/// Strides count scalars. The columns of a point are contiguous. `in` may be `out` where the strides are the same.
template <class T>
struct Tile {
  T const* in = nullptr;
  T* out = nullptr;
  Index in_step = 2, out_step = 2;  // from point to point
  Index lines = 1, in_line = 0, out_line = 0;
  Index columns = 1;
  T* scratch = nullptr;
  bool far = false;  // the arrays are not in cache
};

/// What a line is asked to do. Single: one column a tile, points contiguous on both sides; otherwise the columns of
/// a tile are a multiple of the kernels' least lanes.
struct LineSpec {
  Index n = 1;
  bool single = false;
  Direction direction = Direction::forward;
  double scale = 1;
};

template <class T>
class Line {
 public:
  virtual ~Line() = default;
  virtual void run(Tile<T> const& tile) const = 0;
  /// Scalars of scratch that a tile needs.
  virtual Index scratch(Index lines, Index columns) const = 0;
  /// "16x8x8", "rader(102=..)", ..
  virtual std::string text() const = 0;
};

/// Whether a line of n can be done as a single one, its own points filling the lanes.
template <class T>
bool takes_single(Index n, Kernels const& kernels);

/// The fitting algorithm: passes where n has only small primes, Rader or Bluestein otherwise.
template <class T>
std::unique_ptr<Line<T> const> make_line(LineSpec const& spec, Kernels const& kernels);

/// The algorithms by name.
template <class T>
std::unique_ptr<Line<T> const> make_smooth(LineSpec const& spec, Kernels const& kernels);
template <class T>
std::unique_ptr<Line<T> const> make_rader(LineSpec const& spec, Kernels const& kernels);
template <class T>
std::unique_ptr<Line<T> const> make_bluestein(LineSpec const& spec, Kernels const& kernels);

/// Least lanes of any pass.
inline Index least_lanes(Kernels const& kernels) { return kernels.table[kernels.tables - 1].lanes; }
inline Index most_lanes(Kernels const& kernels) { return kernels.table[0].lanes; }

}  // namespace skipper::cpu
