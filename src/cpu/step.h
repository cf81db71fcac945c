// One axis, or one digit of a long axis, over a whole array: lines handed out in tiles that threads take
// independently. A tile is read from and written to the arrays directly where its columns are contiguous there, and
// by way of a buffer otherwise.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpu/line.h"

namespace skipper::cpu {

/// A dimension that an axis is repeated over. Strides count scalars, of either side.
struct Loop {
  Index size = 1, in = 0, out = 0;
};

/// What the axis is on either side; trig: a cosine or sine axis, reals in and out.
enum class LineKind { complex, from_real, to_real, trig };

/// Line q is multiplied by w^(q j) as its point j is read, or written; w is the root of the longer axis.
struct Twiddles {
  enum class When { reading, writing };
  Index order = 1;
  When when = When::reading;
};

struct StepSpec {
  LineKind line_kind = LineKind::complex;
  Index n = 1;
  Index in_step = 2, out_step = 2;  // scalars from point to point
  std::vector<Loop> loops;
  Direction direction = Direction::forward;
  double scale = 1;
  std::optional<Twiddles> twiddles;  // where this is a digit of a longer axis
  Index cache_bytes = 0;             // what a tile may fill
  // The data exceed the L2 cache, and no step before has just left them there: passes prefetch.
  bool far = false;
  // Of a long line: all threads work on its tiles, one line after the other. Else each thread has a line of its own.
  bool shared = false;
  AxisKind kind = AxisKind::fourier;  // of a trig axis
  bool ortho = false;                 // of a trig axis: weights at its end points
};

template <class T>
class Step {
 public:
  virtual ~Step() = default;
  virtual Index tiles() const = 0;
  virtual Index buffer_size() const = 0;  // scalars, for one tile at a time
  /// `line` is the array of that name (schedule.h), for a step that also reads or writes it.
  virtual void run(Index tile, T const* in, T* out, T* line, T* buffer) const = 0;
  /// Appends what run(tile) does, where that is nothing but passes; else false.
  virtual bool bind(Index, bool /*in_place*/, std::vector<Bound>&) const { return false; }
  virtual std::string text() const = 0;
};

template <class T>
std::unique_ptr<Step<T> const> make_step(StepSpec const& spec, TableMaker& tables);

/// Null where the lines are not short and contiguous, or better off otherwise.
template <class T>
std::unique_ptr<Step<T> const> make_short_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_complex_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_real_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_trig_step(StepSpec const& spec, TableMaker& tables);

/// Takes out of `loops` the one whose neighbours are nearest to each other: contiguous on both sides, on one, or
/// with the least strides; {1, 0, 0} where there is none.
Loop take_inner(std::vector<Loop>& loops, Index unit_in, Index unit_out);

/// Takes out the largest.
Loop take_largest(std::vector<Loop>& loops);

/// The offsets of the index-th iteration of nested loops.
struct Offsets {
  Index in = 0, out = 0;
  /// Moves what the passes from `begin` on read and write of the arrays.
  void move(std::vector<Bound>& passes, std::size_t begin) const;
};
Offsets offsets(std::vector<Loop> const& loops, Index index);

Index iterations(std::vector<Loop> const& loops);

/// u_k of variant/halves.h for n = 2h, k = 0..h/2, interleaved.
template <class T>
Table<T> mixing_factors(Index n, bool forward, TableMaker& tables);
/// One of them; `roots` are of order n.
template <class T>
void put_mixing_factor(RootSource const& roots, Index k, bool forward, T* at);

}  // namespace skipper::cpu
