// A step transforms one axis, or one digit of a long axis, over a whole array. It cuts the lines of the axis into tiles,
// which threads take independently. A tile is read from and written to the arrays directly where its columns are
// contiguous there, and goes through a buffer otherwise.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpu/line.h"

namespace skipper::cpu {

/// A dimension that a transform is repeated over (FFTW's vector loop, an iodim): `in` and `out` are its strides, in scalars.
struct Loop {
  Index size = 1, in = 0, out = 0;
};

/// What the lines hold: complex numbers on both sides, reals on one side, or (trig, a cosine or sine axis) reals on both.
enum class LineKind { complex, from_real, to_real, trig };

/// Twiddles between the two digits of a longer axis: point j of line q is multiplied by w^(q j), w = exp(-2 pi i / order), when
/// it is read or when it is written.
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
  // The data are not in the L2 cache when the step begins: its passes prefetch.
  bool out_of_cache = false;
  // For long lines: made for threads that share the tiles of one line, otherwise for a line to each thread.
  bool shared = false;
  AxisKind kind = AxisKind::fourier;  // of a trig axis
  bool ortho = false;                 // of a trig axis: weights at its end points
};

template <class T>
class Step {
 public:
  virtual ~Step() = default;
  virtual Index tiles() const = 0;
  virtual Index buffer_size() const = 0;  // in scalars; each thread has one buffer
  /// `line` is Array::line (schedule.h), which some steps read or write too.
  virtual void run(Index tile, T const* in, T* out, T* line, T* buffer) const = 0;
  /// Appends the passes that run(tile) consists of. Returns false where run() does anything else.
  virtual bool bind(Index, bool /*in_place*/, std::vector<BoundPass>&) const { return false; }
  virtual std::string text() const = 0;
};

template <class T>
std::unique_ptr<Step<T> const> make_step(StepSpec const& spec, TableMaker& tables);

/// Returns null unless the lines are short and contiguous and this is the fastest way.
template <class T>
std::unique_ptr<Step<T> const> make_short_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_complex_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_real_step(StepSpec const& spec, TableMaker& tables);
template <class T>
std::unique_ptr<Step<T> const> make_trig_step(StepSpec const& spec, TableMaker& tables);

/// Removes from `loops` the one that makes the best columns, and returns it: contiguous on both sides, else on one side, else with
/// the smallest strides. Returns {1, 0, 0} where `loops` is empty.
Loop take_inner(std::vector<Loop>& loops, Index unit_in, Index unit_out);

/// Removes the largest loop and returns it.
Loop take_largest(std::vector<Loop>& loops);

/// The offsets of the index-th iteration of nested loops.
struct Offsets {
  Index in = 0, out = 0;
  /// Adds the offsets to the addresses of passes[begin..] in the arrays, not to those in buffers.
  void move(std::vector<BoundPass>& passes, std::size_t begin) const;
};
Offsets offsets(std::vector<Loop> const& loops, Index index);

Index iterations(std::vector<Loop> const& loops);

/// The factors u_k of variant/hermitian_split.h for n = 2h and k = 0..h/2, interleaved.
template <class T>
Table<T> split_factors(Index n, bool forward, TableMaker& tables);
/// Writes one of them; `roots` are of order n.
template <class T>
void fill_split_factor(RootSource const& roots, Index k, bool forward, T* at);

}  // namespace skipper::cpu
