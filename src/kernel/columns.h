#pragma once
// Tridiagonal systems along the slow dimension of an array [rows][columns], one thread a column, so that neighbours in
// memory are neighbours in a warp. Elimination (Thomas) goes through the rows in runs and keeps only where it stands before
// each run; the way back takes the runs from the last to the first, eliminates each again in registers and substitutes. So
// the array is read twice and written once. All between is double, also where the data are float: next to the singular
// column that is what keeps the accuracy (Wu and JaJa boost the pivots alone).
//
// While a run is eliminated the next one is on its way.
//
// Within a run pivots are quotients of determinants, D[i] = a[i] D[i-1] - lower[i] upper[i-1] D[i-2], so that divisions do
// not wait for each other. The matrix is to be scaled so that its entries are about 1: then no run over- or underflows.
#include "kernel/complex.h"
#include "kernel/form.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int column_threads = 64;
inline constexpr int column_blocks = 8;  // an SM is to hold: 128 registers for each thread

/// Rows that a thread has in registers, and loads at once.
inline constexpr int column_run = 8;
constexpr int column_runs(int rows) { return (rows + column_run - 1) / column_run; }

/// Of a row of the matrix: lower, diagonal, upper, and lower times the upper before. Past the last row, up to a whole run,
/// there are rows with nothing below or above, whose pivots are far from zero.
inline constexpr int column_numbers = 4;
inline constexpr double column_padding[column_numbers] = {0, -1e6, 0, 0};

/// V is a number of the array: T or Complex<T>. `in` and `out` may be one.
template <class V>
struct ColumnArgs {
  V const* in;
  V* out;
  double const* matrix;  // [rows and padding][column_numbers]
  double const* widths;  // [rows], what each stands for in a mean
  double const* across;  // [columns], added to the diagonal
  double* kept;          // [runs - 1][1 + parts][columns]
  double* constant;      // takes the mean of column 0 where that is singular, else null
  double length;         // of all widths
  Wide columns;
  int rows;
};

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

template <class V, class Block>
class Columns {
  using Number = decltype(widened(V{}));
  static constexpr int parts = sizeof(Number) / sizeof(double);

 public:
  Columns(Block& block, ColumnArgs<V> const& args, Wide column)
      : block_(block), args_(args), column_(column) {}

  void solve() {
    double const across = block_.root(args_.across, column_);
    int const runs = column_runs(args_.rows);
    State before{}, here[column_run];
    load(0, coming_);
    for (int run = 0; run + 1 < runs; ++run) {
      take_coming();
      load(run + 1, coming_);
      eliminate(run, across, before, here);
      before = here[column_run - 1];
      if (run + 2 < runs) keep(run, before);
    }
    Number x{};
    for (int run = runs; run-- > 0;) {
      take_coming();
      State const above = before;
      if (run > 0) {
        load(run - 1, coming_);
        before = run > 1 ? kept(run - 2) : State{};
      }
      eliminate(run, across, above, here);
      repeat(Const<column_run>{}, [&](int p) {
        int const q = column_run - 1 - p, row = run * column_run + q;
        x = here[q].d - here[q].c * x;
        if (row < args_.rows) store(row, x);
      });
    }
  }

  /// Without a diagonal of its own: the sum of the rows above a gap, each times its width, is the flux through it, so the
  /// solution is a sum of sums. The right side loses its mean, and so does the solution. Only the real part has one.
  void solve_singular() {
    double sum = 0, level = 0;
    walk(0, [&](int row, double f, double) { sum += width(row) * f; });
    double const mean = sum / args_.length;
    walk(mean, [&](int row, double, double u) { level += width(row) * u; });
    double const first = -level / args_.length;
    walk(mean, [&](int row, double, double u) {
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
  /// Of a row: lower and diagonal, then upper and the product.
  Complex<double> pair(int row, int which) const {
    return block_.root(reinterpret_cast<Complex<double> const*>(args_.matrix), Wide(row) * 2 + which);
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
      here[q].d = (widened(v_[q]) - lower[q] * above.d) * pivot;
      above = here[q];
    });
  }

  void load(int run, V (&to)[column_run]) {
    repeat(Const<column_run>{}, [&](int q) {
      int const row = run * column_run + q;
      to[q] = row < args_.rows ? block_.load(args_.in, row * args_.columns + column_) : V{};
    });
  }
  void take_coming() {
    repeat(Const<column_run>{}, [&](int q) { v_[q] = coming_[q]; });
  }

  /// use(row, f, u) for all rows, where u is 0 at the first and has the flux of f less the mean through each gap.
  template <class Use>
  void walk(double mean, Use use) {
    double flux = 0, u = 0;
    int const runs = column_runs(args_.rows);
    load(0, coming_);
    for (int run = 0; run < runs; ++run) {
      take_coming();
      if (run + 1 < runs) load(run + 1, coming_);
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
    narrow(x, value);
    block_.store(args_.out, row * args_.columns + column_, value);
  }

  Wide place(int run, int which) const { return (Wide(run) * (1 + parts) + which) * args_.columns + column_; }
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
  Wide column_;
  V v_[column_run], coming_[column_run];
};

/// Each block has column_threads columns. A singular one has the first block for itself: the lanes of a warp would wait for
/// each other, and it is walked three times by one thread.
template <class V, class Block>
void solve_columns(Block& block, ColumnArgs<V> const& args) {
  Wide const apart = args.constant ? 1 : 0;
  if (apart && block.tile() == 0) {
    if (block.thread() == 0) Columns<V, Block>(block, args, 0).solve_singular();
    return;
  }
  Wide const column = (block.tile() - apart) * column_threads + block.thread();
  if (column >= args.columns || column < apart) return;
  Columns<V, Block>(block, args, column).solve();
}
constexpr Wide column_tiles(Wide columns, bool singular) {
  return (columns + column_threads - 1) / column_threads + (singular ? 1 : 0);
}

}  // namespace skipper::kernel
