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
#include "kernel/arguments.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

inline constexpr int column_width = 32;  // of a tile
inline constexpr int column_threads = 2 * column_width;
inline constexpr int column_blocks =
    5;  // that an SM may hold, which leaves 200 registers a thread. Fitted: bench/results/h200-choices.md. for each thread

/// Rows that a thread has in registers, and loads at once. A choice, not measured.
inline constexpr int column_run = 8;
template <class N>
constexpr auto column_runs(N rows) {
  return (rows + (column_run - 1)) / column_run;
}
/// Of the first side; the second has as many or one less.
template <class N>
constexpr auto column_half(N rows) {
  return (column_runs(rows) + 1) / 2;
}

/// Of a row of the matrix: lower, diagonal, upper, and lower times the upper before. Past the last row, up to a whole run,
/// there are rows with nothing below or above, whose pivots are far from zero.
inline constexpr int column_numbers = 4;
inline constexpr double column_padding[column_numbers] = {0, -1e6, 0, 0};

/// V is a number of the array: T or Complex<T>. `in` and `out` may be one.
template <class V>
struct ColumnArgs {
  ArrayOf<V, V const> in;
  ArrayOf<V, V> out;
  ArrayOf<V, double const> matrix;  // [rows and padding][column_numbers], and again from the last row up
  ArrayOf<V, double const> widths;  // [rows], what each stands for in a mean
  ArrayOf<V, double const> across;  // [columns], added to the diagonal
  ArrayOf<V, double> kept;          // [blocks][column_half][1 + parts][column_threads]
  ArrayOf<V, double> constant;      // takes the mean of column 0 where that is singular, else null
  DoubleOf<V> length;               // of all widths
  SizeOf<V> columns;
  CountOf<V> rows;
  /// Runs between the one that is loaded and the one that is prefetched into L2; 0: none.
  CountOf<V> prefetch_distance;

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("in", args.in), f("out", args.out);
    f("matrix", args.matrix), f("widths", args.widths), f("across", args.across);
    f("kept", args.kept), f("constant", args.constant), f("length", args.length);
    f("columns", args.columns), f("rows", args.rows), f("prefetch_distance", args.prefetch_distance);
  }
};

/// Where row r of column c stands in an array: r * row + c % inner * near + c / inner * far numbers from its first one.
template <class Size>
struct ColumnPlacesOf {
  Size row, inner, near, far;

  Size first(Size column) const { return column % inner * near + column / inner * far; }
};
using ColumnPlaces = ColumnPlacesOf<Wide>;

/// The same on columns that stand anywhere, stored into one array or by base addresses, as sweeps do (kernel/memory.h).
template <class V>
struct StridedColumnArgs {
  ColumnArgs<V> columns;
  ColumnPlacesOf<SizeOf<V>> in, out;
  ArrayOf<V, unsigned long long const> bases;  // null: all go to `out`
  SizeOf<V> unit;                              // numbers behind each base address
  DoubleOf<V> scale;                           // times which solutions are stored

  template <class Args, class F>
  static void fields(Args& args, F f) {
    ColumnArgs<V>::fields(args.columns, f);
    f("in_row", args.in.row), f("in_inner", args.in.inner), f("in_near", args.in.near),
        f("in_far", args.in.far);
    f("out_row", args.out.row), f("out_inner", args.out.inner);
    f("out_near", args.out.near), f("out_far", args.out.far);
    f("bases", args.bases), f("unit", args.unit), f("scale", args.scale);
  }
};

/// Doubles of the buffer that a block has.
template <class N>
constexpr auto column_kept(N rows, int parts) {
  return column_half(rows) * Wide((1 + parts) * column_threads);
}
/// Bytes of shared memory: where the two sides meet.
constexpr int column_shared(int parts) { return (1 + parts) * column_threads * int(sizeof(double)); }

template <class T>
constexpr DoubleOf<T> widened(T x) {
  return x;
}
template <class T>
constexpr Complex<DoubleOf<T>> widened(Complex<T> x) {
  return {x.re, x.im};
}
template <class D, class T>
constexpr void narrow(D x, T& to) {
  to = rounded_to<T>(x);
}
template <class D, class T>
constexpr void narrow(Complex<D> x, Complex<T>& to) {
  to = {rounded_to<T>(x.re), rounded_to<T>(x.im)};
}
template <class D>
constexpr D& part(D& x, int) {
  return x;
}
template <class D>
constexpr D& part(Complex<D>& x, int p) {
  return p ? x.im : x.re;
}

/// The rows as a thread counts them: the first side from the first row down, the second from the end of the padding up.
template <class Block>
struct ColumnSide {
  Bool<Block> is_second;
  Int<Block> origin;       // where its row 0 is
  Int<Block> first, last;  // of its rows those that the array has, up to and without the last

  ColumnSide(Bool<Block> second, Int<Block> rows, Int<Block> padded)
      : is_second(second),
        origin(select(second, padded - 1, Int<Block>(0))),
        first(select(second, padded - rows, Int<Block>(0))),
        last(select(second, padded, rows)) {}
  Bool<Block> has(Int<Block> i) const { return i >= first && i < last; }
};

/// Where the rows of a column stand, as a side counts them.
template <class Block>
struct RowPlaces {
  Offset<Block> begin, step;

  /// Of a column that begins there, whose rows are so far apart.
  RowPlaces(ColumnSide<Block> const& side, Offset<Block> column, Offset<Block> row)
      : begin(column + side.origin * row), step(select(side.is_second, -row, row)) {}
  /// Row 0 of a run. Those behind it count from there, so that not each has an address of its own through all runs.
  Offset<Block> run(Block& block, Int<Block> run) const {
    return block.opaque(begin + run * (step * column_run));
  }
};

/// A column of a dense array.
template <class V, class Block>
class DenseColumn {
 public:
  static constexpr bool prefetches = true;
  DenseColumn(ColumnArgs<V> const& args, ColumnSide<Block> const& side, Offset<Block> column)
      : args_(args), rows_(side, column, args.columns) {}
  static ColumnArgs<V> const& args_of(ColumnArgs<V> const& args) { return args; }
  template <class Number>
  Number scaled(Number x) const {
    return x;
  }
  RowPlaces<Block> const& in() const { return rows_; }
  RowPlaces<Block> const& out() const { return rows_; }
  V load(Block& block, Offset<Block> at) const { return block.load(args_.in, at); }
  void store(Block& block, Offset<Block> at, V x) const { block.store(args_.out, at, x); }
  /// Of another column, so far from this one.
  void prefetch(Block& block, Int<Block> row, Offset<Block> apart) const {
    block.prefetch(args_.in, rows_.begin + row * rows_.step + apart);
  }

 private:
  ColumnArgs<V> const& args_;
  RowPlaces<Block> rows_;
};

/// A column that stands anywhere.
template <class V, class Block>
class StridedColumn {
 public:
  static constexpr bool prefetches = false;
  StridedColumn(StridedColumnArgs<V> const& args, ColumnSide<Block> const& side, Offset<Block> column)
      : args_(args),
        in_(side, args.in.first(column), args.in.row),
        out_(side, args.out.first(column), args.out.row) {}
  static ColumnArgs<V> const& args_of(StridedColumnArgs<V> const& args) { return args.columns; }
  template <class Number>
  Number scaled(Number x) const {
    return x * args_.scale;
  }
  RowPlaces<Block> const& in() const { return in_; }
  RowPlaces<Block> const& out() const { return out_; }
  V load(Block& block, Offset<Block> at) const { return block.load(args_.columns.in, at); }
  void store(Block& block, Offset<Block> at, V x) const {
    auto to = args_.columns.out;
    if (auto const here = block.only(!is_null(args_.bases)))
      to = array_at<V>(block.root(args_.bases, not_negative(at) / args_.unit));
    block.store(to, at, x);
  }

 private:
  StridedColumnArgs<V> const& args_;
  RowPlaces<Block> in_, out_;
};

template <class V, class Block, template <class, class> class Column>
class Columns {
  using I = Int<Block>;
  using W = Offset<Block>;
  using D = Double<Block>;
  using Number = decltype(widened(V{}));
  static constexpr int parts = sizeof(Number) / sizeof(D);

 public:
  /// Of the tile; `step` columns on is the next one of this block.
  template <class Args>
  Columns(Block& block, Args const& args, Offset<Block> first, Offset<Block> step)
      : block_(block),
        args_(Column<V, Block>::args_of(args)),
        runs_(column_runs(args_.rows)),
        lane_(block.thread() % column_width),
        side_(block.thread() >= column_width, args_.rows, runs_ * column_run),
        first_(first),
        step_(step),
        column_(first + lane_),
        numbers_(args, side_, column_) {}

  /// All threads of the block meet; those without a column, or without a row of it, go along with nothing.
  void solve(Bool<Block> singular) {
    I const mine = select(side_.is_second, runs_ / 2, I(column_half(args_.rows))),
            distance = args_.prefetch_distance;
    any_ = column_ < args_.columns && mine > 0 && !(singular && column_ == 0);
    D across = -1;
    if (auto const here = block_.only(any_)) across = block_.root(args_.across, column_);
    State before;
    load(0);
    block_.loop(I(0), mine - 1, 1, [&](I run) {
      Run const v = taken();
      load(run + 1);
      State here[column_run];
      eliminate(run, across, before, v, here);
      prefetch(run + 1 + distance, mine);
      before = here[column_run - 1];
      if (auto const keeps = block_.only(run + 2 < mine)) keep(run, before);
    });
    auto x = zero<Number>();
    block_.loop(I(0), I(column_half(args_.rows)), 1, [&](I round) {
      I const run = mine - 1 - round;  // in the end -1 on a side that has one less
      Run const v = taken();
      State const above = before;
      load(run - 1);
      before = kept(run - 2);
      State here[column_run];
      eliminate(run, across, above, v, here);
      if (auto const meets = block_.only(round == 0)) x = beyond(mine > 0, here[column_run - 1]);
      prefetch(run - 1 - distance, mine);
      substitute(run, here, x);
    });
  }

  /// Of column 0, without a diagonal of its own: the sum of the rows above a gap, each times its width, is the flux
  /// through it, so the solution is a sum of sums. The right side loses its mean, and so does the solution. Only the
  /// real part has one. For one thread of the first side.
  void solve_singular() {
    D sum = 0, level = 0;
    D const share = block_.reciprocal(args_.length);
    each_row(0, [&](I run, int q, D f, D) { sum += width(run, q) * f; });
    D const mean = sum * share;
    each_row(mean, [&](I run, int q, D, D u) { level += width(run, q) * u; });
    D const first = -level * share;
    each_row(mean, [&](I run, int q, D, D u) {
      auto x = zero<Number>();
      part(x, 0) = first + u;
      store(numbers_.out().run(block_, run) + q * numbers_.out().step, x);
    });
    block_.store(args_.constant, 0, mean);
  }

 private:
  /// Row i after elimination: x[i] = d - c x[i+1].
  struct State {
    D c = zero<D>();
    Number d = zero<Number>();
  };
  /// The right side in a run of rows.
  struct Run {
    V at[column_run];
  };

  D width(I run, int q) const { return block_.root(args_.widths, run * column_run + q); }
  /// Of row i from this side: lower and diagonal, then upper and the product.
  Complex<D> pair(I i, int which) const {
    Offset<Block> const first = select(side_.is_second, runs_ * column_run, I(0));
    auto const pair = block_.root(array_of<Complex<double>>(args_.matrix), (first + i) * 2 + which);
    return {pair.re, pair.im};
  }

  /// The rows of a run that is loaded, after the row above them.
  void eliminate(I run, D across, State above, Run const& v, State (&here)[column_run]) const {
    I const first = run * column_run;
    D determinant[column_run], lower[column_run];
    repeat(Const<column_run>{}, [&](int q) {
      Complex<D> const near = pair(first + q, 0), far = pair(first + q, 1);
      D const less = q == 0   ? D(near.re * above.c)
                     : q == 1 ? far.im
                              : D(far.im * determinant[q > 1 ? q - 2 : 0]);
      determinant[q] = (near.im + across) * (q > 0 ? determinant[q > 0 ? q - 1 : 0] : D(1)) - less;
      lower[q] = near.re;
      here[q].c = far.re;
    });
    repeat(Const<column_run>{}, [&](int q) {
      D const pivot = (q > 0 ? determinant[q > 0 ? q - 1 : 0] : D(1)) * block_.reciprocal(determinant[q]);
      here[q].c = here[q].c * pivot;
      here[q].d = widened(v.at[q]) * pivot - lower[q] * pivot * above.d;
      above = here[q];
    });
  }

  /// The way back through a run, from what x is in the row below it.
  void substitute(I run, State const (&here)[column_run], Number& x) const {
    W const at = numbers_.out().run(block_, run);
    repeat(Const<column_run>{}, [&](int p) {
      int const q = column_run - 1 - p;
      x = here[q].d - here[q].c * x;
      if (auto const stores = block_.only(has(run, q))) store(at + q * numbers_.out().step, x);
    });
  }

  /// Where the sides meet: what x is in the other's last row, by the equations of both. A side without rows has none.
  Number beyond(Bool<Block> has_rows, State const& last) {
    State mine;
    if (auto const here = block_.only(has_rows)) mine = last;
    auto const place = [&](I side, int which) {
      return which * column_threads + side * column_width + lane_;
    };
    I const side = select(side_.is_second, I(1), I(0)), others = 1 - side;
    block_.put_real(place(side, 0), mine.c);
    repeat(Const<parts>{}, [&](int p) { block_.put_real(place(side, 1 + p), part(mine.d, p)); });
    block_.sync();
    State other;
    other.c = block_.template take_real<D>(place(others, 0));
    repeat(Const<parts>{},
           [&](int p) { part(other.d, p) = block_.template take_real<D>(place(others, 1 + p)); });
    block_.sync();  // before the next tile's
    return (other.d - other.c * mine.d) * block_.reciprocal(D(1) - mine.c * other.c);
  }

  Bool<Block> has(I run, int q) const { return any_ && side_.has(run * column_run + q); }
  void load(I run) {
    W const at = numbers_.in().run(block_, run);
    repeat(Const<column_run>{}, [&](int q) {
      coming_.at[q] = zero<V>();
      if (auto const here = block_.only(has(run, q)))
        coming_.at[q] = numbers_.load(block_, at + q * numbers_.in().step);
    });
  }
  /// What was loaded.
  Run taken() const { return coming_; }

  /// A run of the tile, a line for each thread; before the first one are those of the next tile.
  void prefetch(I run, I mine) {
    if constexpr (Column<V, Block>::prefetches) {
      static_assert(column_width * sizeof(Complex<double>) / 128 * column_run <= column_width);
      int const line = 128 / NumbersOf<Block>::template bytes<V>(), lines = column_width / line;
      Bool<Block> const is_next = run < 0;
      I const i = select(is_next, -1 - run, run) * column_run + lane_ / lines;
      Offset<Block> const at = first_ + select(is_next, step_, Offset<Block>(0)) + lane_ % lines * line;
      Bool<Block> const wanted = args_.prefetch_distance != 0 && run < mine && lane_ < lines * column_run;
      if (auto const here = block_.only(wanted && side_.has(i) && at < args_.columns))
        numbers_.prefetch(block_, i, at - column_);
    }
  }

  /// use(run, q, f, u) for all rows, where u is 0 at the first and has the flux of f less the mean through each gap.
  template <class Use>
  void each_row(D mean, Use use) {
    D flux = 0, u = 0;
    load(0);
    block_.loop(I(0), runs_, 1, [&](I run) {
      Run const v = taken();
      load(run + 1);
      repeat(Const<column_run>{}, [&](int q) {
        I const row = run * column_run + q;
        if (auto const here = block_.only(row < args_.rows)) {
          Number value = widened(v.at[q]);
          use(run, q, part(value, 0), u);
          flux += width(run, q) * (part(value, 0) - mean);
          if (auto const next = block_.only(row + 1 < args_.rows))
            u += flux * block_.reciprocal(width(run, q) * pair(row, 1).re);
        }
      });
    });
  }

  void store(W at, Number x) const {
    V value;
    narrow(numbers_.scaled(x), value);
    numbers_.store(block_, at, value);
  }

  /// The same memory for all tiles of a block, so that it stays in L2.
  Offset<Block> place(I run, int which) const {
    return block_.tile() * column_kept(args_.rows, parts) +
           (Offset<Block>(run) * (1 + parts) + which) * column_threads + block_.thread();
  }
  void keep(I run, State state) const {
    block_.store(args_.kept, place(run, 0), state.c);
    repeat(Const<parts>{}, [&](int p) { block_.store(args_.kept, place(run, 1 + p), part(state.d, p)); });
  }
  /// Before the first run there is nothing.
  State kept(I run) const {
    State state;
    if (auto const here = block_.only(run >= 0)) {
      state.c = block_.load(args_.kept, place(run, 0));
      repeat(Const<parts>{}, [&](int p) { part(state.d, p) = block_.load(args_.kept, place(run, 1 + p)); });
    }
    return state;
  }

  Block& block_;
  ColumnArgs<V> const& args_;
  I runs_, lane_;
  ColumnSide<Block> side_;
  Offset<Block> first_, step_, column_;
  Column<V, Block> numbers_;
  Bool<Block> any_ = true;  // a column of its own
  Run coming_;
};

/// Blocks go from tile to tile. A singular column has the first block for itself: the lanes of a warp would wait for each
/// other, and one thread goes over it three times.
template <template <class, class> class Column, class V, class Block, class Args>
void solve_all_columns(Block& block, Args const& all) {
  using Solver = Columns<V, Block, Column>;
  using W = Offset<Block>;
  ColumnArgs<V> const& args = Column<V, Block>::args_of(all);
  Bool<Block> const singular = !is_null(args.constant), is_apart = singular && block.tile() == 0;
  if (auto const here = block.only(is_apart && block.thread() == 0))
    Solver(block, all, 0, 0).solve_singular();
  W const apart = select(singular, W(1), W(0)), step = (block.tiles() - apart) * column_width,
          begin = select(is_apart, W(args.columns), (block.tile() - apart) * column_width);
  block.loop(begin, args.columns, step,
             [&](W first) { Solver(block, all, not_negative(first), step).solve(singular); });
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
