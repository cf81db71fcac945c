// The division of a spectral Poisson solve, on the host: a dense array of modes is divided by the symbol of an operator, which is
// a sum of one number for each dimension. kernel/divide.h does the same on a GPU.
#pragma once

#include <skipper/problem.h>

#include <vector>

#include "base/index.h"
#include "stream/copy.h"

namespace skipper::stream {

/// The symbol that an array is divided by.
struct Division {
  std::vector<double> symbols;  // of all dimensions, one after the other
  bool complex = false;
  Precision precision = Precision::f32;
};

/// Tridiagonal systems along the slowest dimension of slices, one for each of their columns, instead of a division. The
/// matrix is scaled so that its entries are about 1.
struct Elimination {
  struct Row {
    double lower = 0, diagonal = 0, upper = 0, width = 0;
  };
  std::vector<Row> rows;
  std::vector<double> across;  // what each column adds to the diagonal, slice after slice
  bool singular = false;       // column 0 gets the solution with mean zero, after it lost its mean
  bool complex = false;
  Precision precision = Precision::f32;
};

/// A dimension of the array, whose numbers begin in `symbols` at `first`.
struct DivisionDim {
  Index size = 1, first = 0;
};

/// `dims`: fastest first. The element where the symbol is zero is moved to `constant` (one number) and replaced by zero.
void divide(Division const& by, std::vector<DivisionDim> const& dims, void* data, void* constant,
            Loop const& loop);

}  // namespace skipper::stream
