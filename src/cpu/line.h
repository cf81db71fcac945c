// Transforms of single lines, or of neighbouring columns side by side, as far as one thread carries them alone. A
// tile is what one call works on: [lines][n][columns] complex numbers with free strides between lines and points.
#pragma once

#include <skipper/problem.h>

#include <memory>
#include <string>
#include <vector>

#include "cpu/kernels.h"
#include "cpu/tables.h"

namespace skipper::cpu {

/// A tile but for its arrays. Strides count scalars. The columns of a point are contiguous.
struct Shape {
  Index in_step = 2, out_step = 2;  // from point to point
  Index lines = 1, in_line = 0, out_line = 0;
  Index columns = 1;
  bool far = false;       // the arrays are not in cache
  bool in_place = false;  // in is out, with the same strides
};

template <class T>
struct Tile : Shape {
  T const* in = nullptr;
  T* out = nullptr;
  T* buffer = nullptr;
};

/// A pass with all that is known of it before the arrays are: which of them it reads and writes, and from where on.
enum class Place { in, out, buffer };
struct Bound {
  Pass pass = nullptr;
  PassArgs args;
  Place from = Place::in, to = Place::out;
  Index from_at = 0, to_at = 0;  // scalars
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
  /// Appends what run() does on tiles of this shape, where that is nothing but passes; else false.
  virtual bool bind(Shape const&, std::vector<Bound>&) const { return false; }
  /// Whether columns may be any number not below the least lanes, in place too.
  virtual bool any_columns() const { return false; }
  /// Whether a single contiguous line goes to and fro between two arrays of its own size, and needs no more than these:
  /// then between() does that. It begins in `a` and says where it ends, in `a` or `b`, always the same for one length.
  virtual bool takes_two() const { return false; }
  virtual T* between(T* /*a*/, T* /*b*/) const { return nullptr; }
  /// Scalars of the buffer that a tile needs.
  virtual Index buffer_size(Index lines, Index columns) const = 0;
  /// "16x8x8", "rader(102=..)", ..
  virtual std::string text() const = 0;
};

/// Whether a line of n can be done as a single one, its own points filling the lanes.
template <class T>
bool takes_single(Index n, Kernels const& kernels);

/// Whether a prime n has a good transform of n-1 points for Rader's rule: a better one than Bluestein's of twice as many.
template <class T>
bool takes_rader(LineSpec const& spec, Kernels const& kernels);

/// The fitting algorithm: passes where n has no large primes, otherwise Rader, Bluestein, or lines of these joined. A
/// single line that is not done by passes may read points that are not contiguous.
template <class T>
std::unique_ptr<Line<T> const> make_line(LineSpec const& spec, TableMaker& tables);

/// The algorithms by name.
template <class T>
std::unique_ptr<Line<T> const> make_smooth(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_odd_line(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_joined(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_rader(LineSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Line<T> const> make_bluestein(LineSpec const& spec, TableMaker& tables);

/// Least lanes of any pass.
inline Index least_lanes(Kernels const& kernels) { return kernels.table[kernels.tables - 1].lanes; }
inline Index max_lanes(Kernels const& kernels) { return kernels.table[0].lanes; }

}  // namespace skipper::cpu
