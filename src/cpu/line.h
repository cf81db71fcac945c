// Transforms of lines by one thread: either one contiguous line at a time, or neighbouring columns side by side. One call
// works on a tile, [lines][n][columns] complex numbers with free strides between lines and between points.
#pragma once

#include <skipper/problem.h>

#include <memory>
#include <string>
#include <vector>

#include "cpu/kernels.h"
#include "cpu/tables.h"

namespace skipper::cpu {

/// The sizes and strides of a tile, in scalars. The columns of a point are contiguous.
struct TileLayout {
  Index in_step = 2, out_step = 2;  // from point to point
  Index lines = 1, in_line = 0, out_line = 0;
  Index columns = 1;
  bool out_of_cache = false;  // the arrays are not in cache
  bool in_place = false;      // in is out, with the same strides
};

template <class T>
struct Tile : TileLayout {
  T const* in = nullptr;
  T* out = nullptr;
  T* buffer = nullptr;
};

/// The arrays that a pass may read and write.
enum class TileArray { in, out, buffer };
/// A pass with all its arguments but the addresses of the arrays: it says which of them it takes, from which offset on.
struct BoundPass {
  Pass pass = nullptr;
  PassArgs args;
  TileArray from = TileArray::in, to = TileArray::out;
  Index from_at = 0, to_at = 0;  // scalars
};

struct LineSpec {
  Index n = 1;
  // True: tiles have one column, whose contiguous points fill the lanes of vectors. False: the columns fill the lanes, and
  // their number is a multiple of the kernels' least lanes.
  bool one_line = false;
  Direction direction = Direction::forward;
  double scale = 1;
};

template <class T>
class Line {
 public:
  virtual ~Line() = default;
  virtual void run(Tile<T> const& tile) const = 0;
  /// Appends the passes that run() consists of on such a tile. Returns false where run() does anything else.
  virtual bool bind(TileLayout const&, std::vector<BoundPass>&) const { return false; }
  /// Whether the number of columns may be any that is not below the least lanes, in place too.
  virtual bool any_columns() const { return false; }
  /// Whether one contiguous line can be transformed between two arrays of its size (ping-pong buffers), without a third.
  /// run_ping_pong() does so: it begins in `a` and returns where the result is, `a` or `b`, always the same for one length.
  virtual bool is_ping_pong() const { return false; }
  virtual T* run_ping_pong(T* /*a*/, T* /*b*/) const { return nullptr; }
  /// Scalars of the buffer that a tile needs.
  virtual Index buffer_size(Index lines, Index columns) const = 0;
  /// "16x8x8", "rader(102=..)", ..
  virtual std::string text() const = 0;
};

/// Whether make_line() can transform one line of n whose own points fill the lanes.
template <class T>
bool one_line_applies(Index n, Kernels const& kernels);

/// Whether Stockham passes alone can do that.
template <class T>
bool one_line_has_passes(Index n, Kernels const& kernels);

/// Whether Rader's algorithm suits a prime n: the transform of n-1 points must be faster than Bluestein's of twice as many.
template <class T>
bool rader_applies(LineSpec const& spec, Kernels const& kernels);

/// Chooses the algorithm: Stockham passes where n has no large primes, otherwise Rader, Bluestein, or decimation in time over lines
/// of these. With `one_line`, algorithms other than passes may read points that are not contiguous.
template <class T>
std::unique_ptr<Line<T> const> make_line(LineSpec const& spec, TableMaker& tables);

// The algorithms.
template <class T>
std::unique_ptr<Line<T> const> make_smooth(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_symmetric_prime_line(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_dit_line(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_rader(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_bluestein(LineSpec const& spec, TableMaker& tables);

/// The lanes of the narrowest and of the widest vectors.
inline Index least_lanes(Kernels const& kernels) { return kernels.table[kernels.tables - 1].lanes; }
inline Index max_lanes(Kernels const& kernels) { return kernels.table[0].lanes; }

}  // namespace skipper::cpu
