// See eliminate.h.
#include "poisson/eliminate.h"

#include <algorithm>
#include <vector>

#include "poisson/tridiagonal.h"

namespace skipper::poisson {
namespace {

constexpr Index columns_together = 32;  // columns side by side

template <class T>
void eliminate_as(stream::Elimination const& by, Index first, Index count, T const* from, T* to,
                  double* constant, stream::Loop const& loop) {
  int const parts = by.complex ? 2 : 1;
  Tridiagonal matrix;
  for (stream::Elimination::Row const& r : by.rows) {
    matrix.lower.push_back(r.lower);
    matrix.diagonal.push_back(r.diagonal);
    matrix.upper.push_back(r.upper);
    matrix.widths.push_back(r.width);
  }
  Index const rows = Index(by.rows.size());
  loop((count + columns_together - 1) / columns_together, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      Index const at = t * columns_together, columns = std::min(columns_together, count - at),
                  row = columns * parts;
      auto const numbers = [](Index n) { return std::vector<double>(static_cast<std::size_t>(n)); };
      std::vector<double> x = numbers(rows * row), pivots = numbers(rows * columns),
                          across = numbers(columns), alone = numbers(rows);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < row; ++j)
          x[std::size_t(i * row + j)] = double(from[(i * count + at) * parts + j]);
      std::copy_n(by.across.begin() + first + at, columns, across.begin());
      bool const singular = by.singular && first + at == 0;
      if (singular) {
        for (Index i = 0; i < rows; ++i) alone[std::size_t(i)] = x[std::size_t(i * row)];
        *constant = solve_singular(matrix, alone.data(), 1);
        across[0] = -1;  // in its place stands one that is harmless
      }
      sweep_columns(matrix, across.data(), columns, parts, x.data(), pivots.data());
      for (Index i = 0; singular && i < rows; ++i) {
        x[std::size_t(i * row)] = alone[std::size_t(i)];
        if (parts == 2) x[std::size_t(i * row + 1)] = 0;
      }
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < row; ++j) to[(i * count + at) * parts + j] = T(x[std::size_t(i * row + j)]);
    }
  });
}

}  // namespace

void eliminate(stream::Elimination const& by, Index first, Index count, void const* from, void* to,
               void* constant, stream::Loop const& loop) {
  if (by.precision == Precision::f64)
    eliminate_as(by, first, count, static_cast<double const*>(from), static_cast<double*>(to),
                 static_cast<double*>(constant), loop);
  else
    eliminate_as(by, first, count, static_cast<float const*>(from), static_cast<float*>(to),
                 static_cast<double*>(constant), loop);
}

}  // namespace skipper::poisson
