#pragma once
// Tridiagonal systems along the slow dimension of an array [rows][columns], two threads a column: one eliminates
// (Thomas) from the first row down, one from the last row up, and where they meet each knows the other's row.
// Neighbours in memory are neighbours in a warp. Elimination goes through the rows in runs and keeps only where it
// stands before each run; the way back takes the runs from the last to the first, eliminates each again in registers
// and substitutes. So the array is read twice and written once. Blocks are few and go from tile to tile, so that what
// they keep stays in L2. All between is double, also where the data are float: next to the singular column that is what
// keeps the accuracy (Wu and JaJa 2014 boost the pivots alone).
//
// While a run is eliminated the next one is being loaded, and a later one is prefetched into L2.
//
// Within a run pivots are quotients of determinants, D[i] = a[i] D[i-1] - lower[i] upper[i-1] D[i-2], so that divisions do
// not wait for each other. The matrix is to be scaled so that its entries are about 1: then no run over- or underflows.
#include "kernel/complex.h"
#include "kernel/affine_map.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int column_width = 32;  // of a tile
inline constexpr int column_threads = 2 * column_width;
inline constexpr int column_blocks =
    5;  // that an SM may hold, which leaves 200 registers a thread. Fitted: bench/results/h200-choices.md. for each thread

/// Rows that a thread has in registers, and loads at once. A choice, not measured.
inline constexpr int column_run = 8;
constexpr int column_runs(int rows) { return (rows + column_run - 1) / column_run; }
/// Of the first side; the second has as many or one less.
constexpr int column_half(int rows) { return (column_runs(rows) + 1) / 2; }

/// Of a row of the matrix: lower, diagonal, upper, and lower times the upper before. Past the last row, up to a whole run,
/// there are rows with nothing below or above, whose pivots are far from zero.
inline constexpr int column_numbers = 4;
inline constexpr double column_padding[column_numbers] = {0, -1e6, 0, 0};

/// V is a number of the array: T or Complex<T>. `in` and `out` may be one.
template <class V>
struct ColumnArgs {
  V const* in;
  V* out;
  double const* matrix;  // [rows and padding][column_numbers], and again from the last row up
  double const* widths;  // [rows], what each stands for in a mean
  double const* across;  // [columns], added to the diagonal
  double* kept;          // [blocks][column_half][1 + parts][column_threads]
  double* constant;      // takes the mean of column 0 where that is singular, else null
  double length;         // of all widths
  Wide columns;
  int rows;
  int prefetch_distance;  // runs between the one that is loaded and the one that is prefetched into L2; 0: none
};

/// Where row r of column c stands in an array: r * row + c % inner * near + c / inner * far numbers from its first one.
struct ColumnPlaces {
  Wide row, inner, near, far;
};

/// The same on columns that stand anywhere, stored into one array or by base addresses, as sweeps do (kernel/memory.h).
template <class V>
struct StridedColumnArgs {
  ColumnArgs<V> columns;
  ColumnPlaces in, out;
  unsigned long long const* bases;  // null: all go to `out`
  Wide unit;                        // numbers behind each base address
  double scale;                     // times which solutions are stored
};

/// Doubles of the buffer that a block has.
constexpr Wide column_kept(int rows, int parts) {
  return Wide(column_half(rows)) * (1 + parts) * column_threads;
}
/// Bytes of shared memory: where the two sides meet.
constexpr int column_shared(int parts) { return (1 + parts) * column_threads * int(sizeof(double)); }

template <class T>
constexpr double widened(T x) {
  return x;
}
template <class T>
constexpr Complex<double> widened(Complex<T> x) {
  return {x.re, x.im};
}
template <class T>
constexpr void narrow(double x, T& to) {
  to = T(x);
}
template <class T>
constexpr void narrow(Complex<double> x, Complex<T>& to) {
  to = {T(x.re), T(x.im)};
}
constexpr double& part(double& x, int) { return x; }
constexpr double& part(Complex<double>& x, int p) { return p ? x.im : x.re; }

/// A column of a dense array.
template <class V, class Block>
class DenseColumn {
 public:
  static constexpr bool prefetches = true;
  DenseColumn(ColumnArgs<V> const& args, Wide column) : args_(args), column_(column) {}
  static ColumnArgs<V> const& args_of(ColumnArgs<V> const& args) { return args; }
  template <class Number>
  Number scaled(Number x) const {
    return x;
  }
  V load(Block& block, int row) const { return block.load(args_.in, column_ + row * args_.columns); }
  void store(Block& block, int row, V x) const { block.store(args_.out, column_ + row * args_.columns, x); }

 private:
  ColumnArgs<V> const& args_;
  Wide column_;
};

/// A column that stands anywhere.
template <class V, class Block>
class StridedColumn {
 public:
  static constexpr bool prefetches = false;
  StridedColumn(StridedColumnArgs<V> const& args, Wide column)
      : args_(args), in_(first(args.in, column)), out_(first(args.out, column)) {}
  static ColumnArgs<V> const& args_of(StridedColumnArgs<V> const& args) { return args.columns; }
  template <class Number>
  Number scaled(Number x) const {
    return x * args_.scale;
  }
  V load(Block& block, int row) const { return block.load(args_.columns.in, in_ + row * args_.in.row); }
  void store(Block& block, int row, V x) const {
    Wide const at = out_ + row * args_.out.row;
    V* const to =
        args_.bases ? reinterpret_cast<V*>(block.root(args_.bases, at / args_.unit)) : args_.columns.out;
    block.store(to, at, x);
  }

 private:
  static Wide first(ColumnPlaces const& p, Wide column) {
    return column % p.inner * p.near + column / p.inner * p.far;
  }
  StridedColumnArgs<V> const& args_;
  Wide in_, out_;
};

template <class V, class Block, template <class, class> class Column>
class Columns {
  using Number = decltype(widened(V{}));
  static constexpr int parts = sizeof(Number) / sizeof(double);

 public:
  /// Of the tile; `step` columns on is the next one of this block.
  template <class Args>
  Columns(Block& block, Args const& args, Wide first, Wide step)
      : block_(block),
        args_(Column<V, Block>::args_of(args)),
        thread_(block.thread()),
        side_(thread_ / column_width),
        first_(first),
        step_(step),
        column_(first + thread_ % column_width),
        numbers_(args, column_),
        runs_(column_runs(args_.rows)) {}

  /// All threads of the block meet; those without a column go along with nothing.
  void solve(bool singular) {
    any_ = column_ < args_.columns && !(singular && column_ == 0);
    int const mine = side_ ? runs_ / 2 : column_half(args_.rows);
    double const across = any_ ? block_.root(args_.across, column_) : -1;
    State before{}, here[column_run];
    if (mine > 0) load(0);
    for (int run = 0; run + 1 < mine; ++run) {
      take_coming();
      load(run + 1);
      prefetch(run + 1 + args_.prefetch_distance, mine);
      eliminate(run, across, before, here);
      before = here[column_run - 1];
      if (run + 2 < mine) keep(run, before);
    }
    Number x{};
    for (int run = mine; run-- > 0;) {
      take_coming();
      State const above = before;
      if (run > 0) load(run - 1);
      before = run > 1 ? kept(run - 2) : State{};
      prefetch(run - 1 - args_.prefetch_distance, mine);
      eliminate(run, across, above, here);
      if (run + 1 == mine) x = beyond(here[column_run - 1]);
      repeat(Const<column_run>{}, [&](int p) {
        int const q = column_run - 1 - p, row = row_of(run * column_run + q);
        x = here[q].d - here[q].c * x;
        if (any_ && row < args_.rows) store(row, x);
      });
    }
    if (mine == 0) beyond(State{});
  }

  /// Of column 0, without a diagonal of its own: the sum of the rows above a gap, each times its width, is the flux
  /// through it, so the solution is a sum of sums. The right side loses its mean, and so does the solution. Only the
  /// real part has one. For one thread of the first side.
  void solve_singular() {
    double sum = 0, level = 0;
    each_row(0, [&](int row, double f, double) { sum += width(row) * f; });
    double const mean = sum / args_.length;
    each_row(mean, [&](int row, double, double u) { level += width(row) * u; });
    double const first = -level / args_.length;
    each_row(mean, [&](int row, double, double u) {
      Number x{};
      part(x, 0) = first + u;
      store(row, x);
    });
    block_.store(args_.constant, 0, mean);
  }

 private:
  /// Row i after elimination: x[i] = d - c x[i+1].
  struct State {
    double c = 0;
    Number d{};
  };

  double width(int row) const { return block_.root(args_.widths, row); }
  /// Row i from this side.
  int row_of(int i) const { return side_ ? runs_ * column_run - 1 - i : i; }
  /// Of it: lower and diagonal, then upper and the product.
  Complex<double> pair(int i, int which) const {
    return block_.root(reinterpret_cast<Complex<double> const*>(args_.matrix),
                       (Wide(side_) * runs_ * column_run + i) * 2 + which);
  }

  /// The rows of a run that is loaded, after the row above them.
  void eliminate(int run, double across, State above, State (&here)[column_run]) const {
    int const first = run * column_run;
    double determinant[column_run], lower[column_run];
    repeat(Const<column_run>{}, [&](int q) {
      Complex<double> const near = pair(first + q, 0), far = pair(first + q, 1);
      double const less = q == 0   ? near.re * above.c
                          : q == 1 ? far.im
                                   : far.im * determinant[q > 1 ? q - 2 : 0];
      determinant[q] = (near.im + across) * (q > 0 ? determinant[q > 0 ? q - 1 : 0] : 1) - less;
      lower[q] = near.re;
      here[q].c = far.re;
    });
    repeat(Const<column_run>{}, [&](int q) {
      double const pivot = (q > 0 ? determinant[q > 0 ? q - 1 : 0] : 1) * block_.reciprocal(determinant[q]);
      here[q].c = here[q].c * pivot;
      here[q].d = widened(v_[q]) * pivot - lower[q] * pivot * above.d;
      above = here[q];
    });
  }

  /// Where the sides meet: what x is in the other's last row, by the equations of both.
  Number beyond(State const& mine) {
    auto const place = [&](int side, int which) {
      return (which * 2 + side) * column_width + thread_ % column_width;
    };
    block_.put_real(place(side_, 0), mine.c);
    repeat(Const<parts>{}, [&](int p) {
      Number d = mine.d;
      block_.put_real(place(side_, 1 + p), part(d, p));
    });
    block_.sync();
    State other;
    other.c = block_.template take_real<double>(place(1 - side_, 0));
    repeat(Const<parts>{},
           [&](int p) { part(other.d, p) = block_.template take_real<double>(place(1 - side_, 1 + p)); });
    block_.sync();  // before the next tile's
    return (other.d - other.c * mine.d) * block_.reciprocal(1 - mine.c * other.c);
  }

  void load(int run) {
    repeat(Const<column_run>{}, [&](int q) {
      int const row = row_of(run * column_run + q);
      coming_[q] = any_ && row < args_.rows ? numbers_.load(block_, row) : V{};
    });
  }
  void take_coming() {
    repeat(Const<column_run>{}, [&](int q) { v_[q] = coming_[q]; });
  }

  /// A run of the tile, a line for each thread; before the first one are those of the next tile.
  void prefetch(int run, int mine) {
    constexpr int line = 128 / sizeof(V), lines = column_width / line;
    static_assert(lines * column_run <= column_width);
    bool const next = run < 0;
    if (!Column<V, Block>::prefetches || args_.prefetch_distance == 0 || run >= mine) return;
    int const lane = thread_ % column_width,
              row = row_of((next ? -1 - run : run) * column_run + lane / lines);
    Wide const at = first_ + (next ? step_ : 0) + lane % lines * line;
    if (lane < lines * column_run && row >= 0 && row < args_.rows && at < args_.columns)
      block_.prefetch(args_.in, at + row * args_.columns);
  }

  /// use(row, f, u) for all rows, where u is 0 at the first and has the flux of f less the mean through each gap.
  template <class Use>
  void each_row(double mean, Use use) {
    double flux = 0, u = 0;
    load(0);
    for (int run = 0; run < runs_; ++run) {
      take_coming();
      if (run + 1 < runs_) load(run + 1);
      repeat(Const<column_run>{}, [&](int q) {
        int const row = run * column_run + q;
        if (row >= args_.rows) return;
        Number value = widened(v_[q]);
        use(row, part(value, 0), u);
        flux += width(row) * (part(value, 0) - mean);
        if (row + 1 < args_.rows) u += flux * block_.reciprocal(width(row) * pair(row, 1).re);
      });
    }
  }

  void store(int row, Number x) const {
    V value;
    narrow(numbers_.scaled(x), value);
    numbers_.store(block_, row, value);
  }

  /// The same memory for all tiles of a block, so that it stays in L2.
  Wide place(int run, int which) const {
    return block_.tile() * column_kept(args_.rows, parts) +
           (Wide(run) * (1 + parts) + which) * column_threads + thread_;
  }
  void keep(int run, State state) const {
    block_.store(args_.kept, place(run, 0), state.c);
    repeat(Const<parts>{}, [&](int p) { block_.store(args_.kept, place(run, 1 + p), part(state.d, p)); });
  }
  State kept(int run) const {
    State state;
    double const* const from = args_.kept;
    state.c = block_.load(from, place(run, 0));
    repeat(Const<parts>{}, [&](int p) { part(state.d, p) = block_.load(from, place(run, 1 + p)); });
    return state;
  }

  Block& block_;
  ColumnArgs<V> const& args_;
  int thread_, side_;
  Wide first_, step_, column_;
  Column<V, Block> numbers_;
  int runs_;
  bool any_ = true;  // a column of its own
  V v_[column_run], coming_[column_run];
};

/// Blocks go from tile to tile. A singular column has the first block for itself: the lanes of a warp would wait for each
/// other, and one thread goes over it three times.
template <template <class, class> class Column, class V, class Block, class Args>
void solve_all_columns(Block& block, Args const& all) {
  using Solver = Columns<V, Block, Column>;
  ColumnArgs<V> const& args = Column<V, Block>::args_of(all);
  Wide const apart = args.constant ? 1 : 0, step = (block.tiles() - apart) * column_width;
  if (apart && block.tile() == 0) {
    if (block.thread() == 0) Solver(block, all, 0, 0).solve_singular();
    return;
  }
  for (Wide first = (block.tile() - apart) * column_width; first < args.columns; first += step)
    Solver(block, all, first, step).solve(apart);
}

template <class V, class Block>
void solve_columns(Block& block, ColumnArgs<V> const& args) {
  solve_all_columns<DenseColumn, V>(block, args);
}
template <class V, class Block>
void solve_strided_columns(Block& block, StridedColumnArgs<V> const& args) {
  solve_all_columns<StridedColumn, V>(block, args);
}

/// At most so many at once.
constexpr Wide column_grid(Wide columns, bool singular, Wide most) {
  Wide const tiles = (columns + column_width - 1) / column_width;
  return (tiles < most ? tiles : most) + (singular ? 1 : 0);
}

}  // namespace skipper::kernel
