#pragma once
// Tridiagonal systems for tests of kernel/columns.h.
#include <cmath>
#include <iterator>
#include <vector>

#include "kernel/columns.h"

namespace skipper::testing {

/// A stretched second derivative between Neumann ends, its columns shifted by 0, -1, -2 ..
struct ColumnSystems {
  int rows;
  kernel::Wide columns;
  std::vector<double> matrix, widths, across;
  double length = 0;

  ColumnSystems(int n, kernel::Wide m) : rows(n), columns(m) {
    auto const gap = [&](int i) { return 1 + 0.3 * std::sin(i); };
    for (int i = 0; i < n; ++i) {
      double const width = (gap(i) + gap(i + 1)) / 2;
      double const lower = i > 0 ? 1 / (width * gap(i)) : 0, upper = i + 1 < n ? 1 / (width * gap(i + 1)) : 0;
      double const before = i > 0 ? matrix[matrix.size() - 2] : 0;
      matrix.insert(matrix.end(), {lower, -(lower + upper), upper, lower * before});
      widths.push_back(width);
      length += width;
    }
    auto const pad = [&] {
      for (int i = n; i % kernel::column_run != 0; ++i)
        matrix.insert(matrix.end(), std::begin(kernel::column_padding), std::end(kernel::column_padding));
    };
    pad();
    pad();
    for (int i = n; i-- > 0;) {
      double const* const row = &matrix[std::size_t(i) * 4];
      matrix.insert(matrix.end(), {row[2], row[1], row[0], i + 1 < n ? row[7] : 0});
    }
    for (kernel::Wide j = 0; j < m; ++j) across.push_back(-double(j));
  }

  template <class V>
  kernel::ColumnArgs<V> args(V const* in, V* out, double* kept, double* mean, int prefetch_distance) const {
    return {in,   out,    matrix.data(), widths.data(), across.data(),    kept,
            mean, length, columns,       rows,          prefetch_distance};
  }
};

}  // namespace skipper::testing
