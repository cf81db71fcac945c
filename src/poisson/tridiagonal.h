// The second derivative along an axis as a tridiagonal matrix, on any grid, and the solution of many such systems at
// once by Thomas' sweeps: the columns of a tile, side by side in vectors. Wu and JaJa's Poisson paper computes the
// pivots in double also where the data are float; here the whole tile is double, which costs little in cache and on
// columns that are almost singular is a hundred times more accurate. A tile keeps the reciprocals of its pivots for
// the way back.
#pragma once

#include <skipper/poisson.h>

#include <vector>

#include "base/index.h"

namespace skipper::poisson {

/// Row i: lower[i] u[i-1] + diagonal[i] u[i] + upper[i] u[i+1]; lower[0] and upper[n-1] are 0. `widths` are the
/// lengths that the unknowns stand for: the weights of a mean. What is prescribed at an end, times low_end or
/// high_end, is what the right side of the first or last row gains by it.
struct Tridiagonal {
  std::vector<double> lower, diagonal, upper, widths;
  double low_end = 0, high_end = 0;
};
Tridiagonal tridiagonal(PoissonAxis const& axis);

/// Solves (matrix + across[j]) x = d for all columns j, in place. x is [n][columns][parts], parts being 1 for real and
/// 2 for complex numbers; reciprocals is [n][columns], overwritten.
void sweep_columns(Tridiagonal const& matrix, double const* across, Index columns, int parts, double* x,
                   double* reciprocals);

/// The one column whose matrix is singular: x is [n] with `stride`. Takes the mean of the right side off
/// and returns it; the solution has mean zero.
double solve_singular(Tridiagonal const& matrix, double* x, Index stride);

}  // namespace skipper::poisson
