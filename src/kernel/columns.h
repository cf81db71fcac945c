#pragma once
// Tridiagonal systems along the slow dimension of an array [rows][columns], one thread a column, so that neighbours in
// memory are neighbours in a warp. Elimination (Thomas) goes through the rows in runs and keeps only where it stands before
// each run; the way back takes the runs from the last to the first, eliminates each again in registers and substitutes. So
// the array is read twice and written once. All between is double, also where the data are float: next to the singular
// column that is what keeps the accuracy (Wu and JaJa boost the pivots alone).
#include "kernel/complex.h"
#include "kernel/form.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int column_threads = 128;
inline constexpr int column_run = 16;  // rows that a thread has in registers, and loads at once
inline constexpr int column_numbers =
    4;  // of a row of the matrix: lower, diagonal, upper, and the width it stands for

/// V is a number of the array: T or Complex<T>. `in` and `out` may be one.
template <class V>
struct ColumnArgs {
  V const* in;
  V* out;
  double const* matrix;  // [rows][column_numbers]
  double const* across;  // [columns], added to the diagonal
  double* kept;          // [runs - 1][1 + parts][columns]
  double* constant;      // takes the mean of column 0 where that is singular, else null
  double length;         // of all widths
  Wide columns;
  int rows;
};

constexpr int column_runs(int rows) { return (rows + column_run - 1) / column_run; }

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
    State state{};
    for (int run = 0; run + 1 < runs; ++run) {
      load(run);
      repeat(Const<column_run>{},
             [&](int q) { state = eliminated(state, run * column_run + q, across, v_[q]); });
      keep(run, state);
    }
    Number x{};
    for (int run = runs; run-- > 0;) {
      load(run);
      State here[column_run];
      State before = run ? kept(run - 1) : State{};
      repeat(Const<column_run>{},
             [&](int q) { before = here[q] = eliminated(before, run * column_run + q, across, v_[q]); });
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
    double sum = 0;
    each_row([&](int row, double f) { sum += number(row, 3) * f; });
    double const mean = sum / args_.length;
    double u = 0, flux = 0, level = 0;
    auto const walk = [&](int row, double f, auto&& use) {
      use(u);
      double const width = number(row, 3);
      flux += width * (f - mean);
      if (row + 1 < args_.rows) u += flux / (width * number(row, 2));
    };
    each_row([&](int row, double f) { walk(row, f, [&](double here) { level += number(row, 3) * here; }); });
    double const first = -level / args_.length;
    u = flux = 0;
    each_row([&](int row, double f) {
      walk(row, f, [&](double here) {
        Number x{};
        part(x, 0) = first + here;
        store(row, x);
      });
    });
    block_.store(args_.constant, 0, mean);
  }

 private:
  /// Row i after elimination: x[i] = d - c x[i+1].
  struct State {
    double c = 0;
    Number d{};
  };

  double number(int row, int which) const {
    return block_.root(args_.matrix, Wide(row) * column_numbers + which);
  }

  State eliminated(State const& above, int row, double across, V f) const {
    if (row >= args_.rows) return {};
    double const lower = number(row, 0);
    double const pivot = 1 / (number(row, 1) + across - lower * above.c);
    return {number(row, 2) * pivot, (widened(f) - lower * above.d) * pivot};
  }

  void load(int run) {
    repeat(Const<column_run>{}, [&](int q) {
      int const row = run * column_run + q;
      v_[q] = row < args_.rows ? block_.load(args_.in, row * args_.columns + column_) : V{};
    });
  }

  /// f(row, real part) for all rows.
  template <class F>
  void each_row(F f) {
    for (int run = 0; run < column_runs(args_.rows); ++run) {
      load(run);
      repeat(Const<column_run>{}, [&](int q) {
        Number value = widened(v_[q]);
        if (int const row = run * column_run + q; row < args_.rows) f(row, part(value, 0));
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
  V v_[column_run];
};

/// Each block has column_threads columns.
template <class V, class Block>
void solve_columns(Block& block, ColumnArgs<V> const& args) {
  Wide const column = block.tile() * column_threads + block.thread();
  if (column >= args.columns) return;
  Columns<V, Block> columns(block, args, column);
  if (args.constant && column == 0)
    columns.solve_singular();
  else
    columns.solve();
}

}  // namespace skipper::kernel
